constexpr int Width = 128;
