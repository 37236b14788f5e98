// A toolkit is recognised by this file and cuda_runtime.h.
