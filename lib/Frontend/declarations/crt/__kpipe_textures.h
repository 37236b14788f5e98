// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// crt/__kpipe_textures.h: texture and surface objects as device code reads
// them. Declarations only; texture references are gone from CUDA since 12.
#ifndef KPIPE_DECL_TEXTURES_H
#define KPIPE_DECL_TEXTURES_H

template <class T> __device__ T tex1Dfetch(cudaTextureObject_t object, int x);
template <class T>
__device__ void tex1Dfetch(T *result, cudaTextureObject_t object, int x);
template <class T> __device__ T tex1D(cudaTextureObject_t object, float x);
template <class T>
__device__ void tex1D(T *result, cudaTextureObject_t object, float x);
template <class T>
__device__ T tex1DLod(cudaTextureObject_t object, float x, float level);
template <class T>
__device__ void tex1DLod(T *result, cudaTextureObject_t object, float x,
                         float level);
template <class T>
__device__ T tex2D(cudaTextureObject_t object, float x, float y);
template <class T>
__device__ void tex2D(T *result, cudaTextureObject_t object, float x, float y);
template <class T>
__device__ T tex2DLod(cudaTextureObject_t object, float x, float y,
                      float level);
template <class T>
__device__ void tex2DLod(T *result, cudaTextureObject_t object, float x,
                         float y, float level);
template <class T>
__device__ T tex3D(cudaTextureObject_t object, float x, float y, float z);
template <class T>
__device__ void tex3D(T *result, cudaTextureObject_t object, float x, float y,
                      float z);
template <class T>
__device__ T tex3DLod(cudaTextureObject_t object, float x, float y, float z,
                      float level);
template <class T>
__device__ void tex3DLod(T *result, cudaTextureObject_t object, float x,
                         float y, float z, float level);
template <class T>
__device__ T tex1DLayered(cudaTextureObject_t object, float x, int layer);
template <class T>
__device__ void tex1DLayered(T *result, cudaTextureObject_t object, float x,
                             int layer);
template <class T>
__device__ T tex2DLayered(cudaTextureObject_t object, float x, float y,
                          int layer);
template <class T>
__device__ void tex2DLayered(T *result, cudaTextureObject_t object, float x,
                             float y, int layer);
template <class T>
__device__ T texCubemap(cudaTextureObject_t object, float x, float y, float z);
template <class T>
__device__ void texCubemap(T *result, cudaTextureObject_t object, float x,
                           float y, float z);
template <class T>
__device__ T tex2Dgather(cudaTextureObject_t object, float x, float y,
                         int comp = 0);
template <class T>
__device__ void tex2Dgather(T *result, cudaTextureObject_t object, float x,
                            float y, int comp = 0);
template <class T>
__device__ T surf1Dread(cudaSurfaceObject_t object, int x,
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ void surf1Dread(T *result, cudaSurfaceObject_t object, int x,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ void
surf1Dwrite(T value, cudaSurfaceObject_t object, int x,
            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ T surf2Dread(cudaSurfaceObject_t object, int x, int y,
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ void surf2Dread(T *result, cudaSurfaceObject_t object, int x, int y,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ void
surf2Dwrite(T value, cudaSurfaceObject_t object, int x, int y,
            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ T surf3Dread(cudaSurfaceObject_t object, int x, int y, int z,
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ void surf3Dread(T *result, cudaSurfaceObject_t object, int x, int y,
                           int z,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ void
surf3Dwrite(T value, cudaSurfaceObject_t object, int x, int y, int z,
            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ T
surf2DLayeredread(cudaSurfaceObject_t object, int x, int y, int layer,
                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ void
surf2DLayeredread(T *result, cudaSurfaceObject_t object, int x, int y,
                  int layer,
                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ void
surf2DLayeredwrite(T value, cudaSurfaceObject_t object, int x, int y, int layer,
                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);

template <class T>
__device__ T tex1DGrad(cudaTextureObject_t object, float x, float dx, float dy);
template <class T>
__device__ void tex1DGrad(T *result, cudaTextureObject_t object, float x,
                          float dx, float dy);
template <class T>
__device__ T tex1DLayeredGrad(cudaTextureObject_t object, float x, int layer,
                              float dx, float dy);
template <class T>
__device__ void tex1DLayeredGrad(T *result, cudaTextureObject_t object, float x,
                                 int layer, float dx, float dy);
template <class T>
__device__ T tex1DLayeredLod(cudaTextureObject_t object, float x, int layer,
                             float level);
template <class T>
__device__ void tex1DLayeredLod(T *result, cudaTextureObject_t object, float x,
                                int layer, float level);
template <class T>
__device__ T tex2DGrad(cudaTextureObject_t object, float x, float y, float2 dx,
                       float2 dy);
template <class T>
__device__ void tex2DGrad(T *result, cudaTextureObject_t object, float x,
                          float y, float2 dx, float2 dy);
template <class T>
__device__ T tex2DGrad(cudaTextureObject_t object, float x, float y, float2 dx,
                       float2 dy, bool *resident);
template <class T>
__device__ void tex2DGrad(T *result, cudaTextureObject_t object, float x,
                          float y, float2 dx, float2 dy, bool *resident);
template <class T>
__device__ T tex2DLayeredGrad(cudaTextureObject_t object, float x, float y,
                              int layer, float2 dx, float2 dy);
template <class T>
__device__ void tex2DLayeredGrad(T *result, cudaTextureObject_t object, float x,
                                 float y, int layer, float2 dx, float2 dy);
template <class T>
__device__ T tex2DLayeredGrad(cudaTextureObject_t object, float x, float y,
                              int layer, float2 dx, float2 dy, bool *resident);
template <class T>
__device__ void tex2DLayeredGrad(T *result, cudaTextureObject_t object, float x,
                                 float y, int layer, float2 dx, float2 dy,
                                 bool *resident);
template <class T>
__device__ T tex2DLayeredLod(cudaTextureObject_t object, float x, float y,
                             int layer, float level);
template <class T>
__device__ void tex2DLayeredLod(T *result, cudaTextureObject_t object, float x,
                                float y, int layer, float level);
template <class T>
__device__ T tex2DLayeredLod(cudaTextureObject_t object, float x, float y,
                             int layer, float level, bool *resident);
template <class T>
__device__ void tex2DLayeredLod(T *result, cudaTextureObject_t object, float x,
                                float y, int layer, float level,
                                bool *resident);
template <class T>
__device__ T tex3DGrad(cudaTextureObject_t object, float x, float y, float z,
                       float4 dx, float4 dy);
template <class T>
__device__ void tex3DGrad(T *result, cudaTextureObject_t object, float x,
                          float y, float z, float4 dx, float4 dy);
template <class T>
__device__ T tex3DGrad(cudaTextureObject_t object, float x, float y, float z,
                       float4 dx, float4 dy, bool *resident);
template <class T>
__device__ void tex3DGrad(T *result, cudaTextureObject_t object, float x,
                          float y, float z, float4 dx, float4 dy,
                          bool *resident);
template <class T>
__device__ T texCubemapGrad(cudaTextureObject_t object, float x, float y,
                            float z, float4 dx, float4 dy);
template <class T>
__device__ void texCubemapGrad(T *result, cudaTextureObject_t object, float x,
                               float y, float z, float4 dx, float4 dy);
template <class T>
__device__ T texCubemapLayered(cudaTextureObject_t object, float x, float y,
                               float z, int layer);
template <class T>
__device__ void texCubemapLayered(T *result, cudaTextureObject_t object,
                                  float x, float y, float z, int layer);
template <class T>
__device__ T texCubemapLayeredGrad(cudaTextureObject_t object, float x, float y,
                                   float z, int layer, float4 dx, float4 dy);
template <class T>
__device__ void texCubemapLayeredGrad(T *result, cudaTextureObject_t object,
                                      float x, float y, float z, int layer,
                                      float4 dx, float4 dy);
template <class T>
__device__ T texCubemapLayeredLod(cudaTextureObject_t object, float x, float y,
                                  float z, int layer, float level);
template <class T>
__device__ void texCubemapLayeredLod(T *result, cudaTextureObject_t object,
                                     float x, float y, float z, int layer,
                                     float level);
template <class T>
__device__ T texCubemapLod(cudaTextureObject_t object, float x, float y,
                           float z, float level);
template <class T>
__device__ void texCubemapLod(T *result, cudaTextureObject_t object, float x,
                              float y, float z, float level);
template <class T>
__device__ T
surf1DLayeredread(cudaSurfaceObject_t object, int x, int layer,
                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ void
surf1DLayeredread(T *result, cudaSurfaceObject_t object, int x, int layer,
                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ void
surf1DLayeredwrite(T value, cudaSurfaceObject_t object, int x, int layer,
                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ T
surfCubemapread(cudaSurfaceObject_t object, int x, int y, int face,
                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ void
surfCubemapread(T *result, cudaSurfaceObject_t object, int x, int y, int face,
                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ void
surfCubemapwrite(T value, cudaSurfaceObject_t object, int x, int y, int face,
                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ T
surfCubemapLayeredread(cudaSurfaceObject_t object, int x, int y, int layerface,
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ void
surfCubemapLayeredread(T *result, cudaSurfaceObject_t object, int x, int y,
                       int layerface,
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T>
__device__ void
surfCubemapLayeredwrite(T value, cudaSurfaceObject_t object, int x, int y,
                        int layerface,
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);

#endif // KPIPE_DECL_TEXTURES_H
