void runSums(const float *x, float *y, int n);
