// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// crt/__kpipe_textures.h: texture and surface objects as device code reads
// them. Declarations only; texture references are gone from CUDA since 12.
#ifndef KPIPE_DECL_TEXTURES_H
#define KPIPE_DECL_TEXTURES_H

template <class _Tp>
__device__ _Tp tex1Dfetch(cudaTextureObject_t object, int x);
template <class _Tp>
__device__ void tex1Dfetch(_Tp *result, cudaTextureObject_t object, int x);
template <class _Tp> __device__ _Tp tex1D(cudaTextureObject_t object, float x);
template <class _Tp>
__device__ void tex1D(_Tp *result, cudaTextureObject_t object, float x);
template <class _Tp>
__device__ _Tp tex1DLod(cudaTextureObject_t object, float x, float level);
template <class _Tp>
__device__ void tex1DLod(_Tp *result, cudaTextureObject_t object, float x,
                         float level);
template <class _Tp>
__device__ _Tp tex2D(cudaTextureObject_t object, float x, float y);
template <class _Tp>
__device__ void tex2D(_Tp *result, cudaTextureObject_t object, float x,
                      float y);
template <class _Tp>
__device__ _Tp tex2DLod(cudaTextureObject_t object, float x, float y,
                        float level);
template <class _Tp>
__device__ void tex2DLod(_Tp *result, cudaTextureObject_t object, float x,
                         float y, float level);
template <class _Tp>
__device__ _Tp tex3D(cudaTextureObject_t object, float x, float y, float z);
template <class _Tp>
__device__ void tex3D(_Tp *result, cudaTextureObject_t object, float x, float y,
                      float z);
template <class _Tp>
__device__ _Tp tex3DLod(cudaTextureObject_t object, float x, float y, float z,
                        float level);
template <class _Tp>
__device__ void tex3DLod(_Tp *result, cudaTextureObject_t object, float x,
                         float y, float z, float level);
template <class _Tp>
__device__ _Tp tex1DLayered(cudaTextureObject_t object, float x, int layer);
template <class _Tp>
__device__ void tex1DLayered(_Tp *result, cudaTextureObject_t object, float x,
                             int layer);
template <class _Tp>
__device__ _Tp tex2DLayered(cudaTextureObject_t object, float x, float y,
                            int layer);
template <class _Tp>
__device__ void tex2DLayered(_Tp *result, cudaTextureObject_t object, float x,
                             float y, int layer);
template <class _Tp>
__device__ _Tp texCubemap(cudaTextureObject_t object, float x, float y,
                          float z);
template <class _Tp>
__device__ void texCubemap(_Tp *result, cudaTextureObject_t object, float x,
                           float y, float z);
template <class _Tp>
__device__ _Tp tex2Dgather(cudaTextureObject_t object, float x, float y,
                           int comp = 0);
template <class _Tp>
__device__ void tex2Dgather(_Tp *result, cudaTextureObject_t object, float x,
                            float y, int comp = 0);
template <class _Tp>
__device__ _Tp surf1Dread(cudaSurfaceObject_t object, int x,
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ void surf1Dread(_Tp *result, cudaSurfaceObject_t object, int x,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ void
surf1Dwrite(_Tp value, cudaSurfaceObject_t object, int x,
            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ _Tp surf2Dread(cudaSurfaceObject_t object, int x, int y,
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ void surf2Dread(_Tp *result, cudaSurfaceObject_t object, int x,
                           int y,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ void
surf2Dwrite(_Tp value, cudaSurfaceObject_t object, int x, int y,
            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ _Tp surf3Dread(cudaSurfaceObject_t object, int x, int y, int z,
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ void surf3Dread(_Tp *result, cudaSurfaceObject_t object, int x,
                           int y, int z,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ void
surf3Dwrite(_Tp value, cudaSurfaceObject_t object, int x, int y, int z,
            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ _Tp
surf2DLayeredread(cudaSurfaceObject_t object, int x, int y, int layer,
                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ void
surf2DLayeredread(_Tp *result, cudaSurfaceObject_t object, int x, int y,
                  int layer,
                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ void
surf2DLayeredwrite(_Tp value, cudaSurfaceObject_t object, int x, int y,
                   int layer,
                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);

template <class _Tp>
__device__ _Tp tex1DGrad(cudaTextureObject_t object, float x, float dx,
                         float dy);
template <class _Tp>
__device__ void tex1DGrad(_Tp *result, cudaTextureObject_t object, float x,
                          float dx, float dy);
template <class _Tp>
__device__ _Tp tex1DLayeredGrad(cudaTextureObject_t object, float x, int layer,
                                float dx, float dy);
template <class _Tp>
__device__ void tex1DLayeredGrad(_Tp *result, cudaTextureObject_t object,
                                 float x, int layer, float dx, float dy);
template <class _Tp>
__device__ _Tp tex1DLayeredLod(cudaTextureObject_t object, float x, int layer,
                               float level);
template <class _Tp>
__device__ void tex1DLayeredLod(_Tp *result, cudaTextureObject_t object,
                                float x, int layer, float level);
template <class _Tp>
__device__ _Tp tex2DGrad(cudaTextureObject_t object, float x, float y,
                         float2 dx, float2 dy);
template <class _Tp>
__device__ void tex2DGrad(_Tp *result, cudaTextureObject_t object, float x,
                          float y, float2 dx, float2 dy);
template <class _Tp>
__device__ _Tp tex2DGrad(cudaTextureObject_t object, float x, float y,
                         float2 dx, float2 dy, bool *resident);
template <class _Tp>
__device__ void tex2DGrad(_Tp *result, cudaTextureObject_t object, float x,
                          float y, float2 dx, float2 dy, bool *resident);
template <class _Tp>
__device__ _Tp tex2DLayeredGrad(cudaTextureObject_t object, float x, float y,
                                int layer, float2 dx, float2 dy);
template <class _Tp>
__device__ void tex2DLayeredGrad(_Tp *result, cudaTextureObject_t object,
                                 float x, float y, int layer, float2 dx,
                                 float2 dy);
template <class _Tp>
__device__ _Tp tex2DLayeredGrad(cudaTextureObject_t object, float x, float y,
                                int layer, float2 dx, float2 dy,
                                bool *resident);
template <class _Tp>
__device__ void tex2DLayeredGrad(_Tp *result, cudaTextureObject_t object,
                                 float x, float y, int layer, float2 dx,
                                 float2 dy, bool *resident);
template <class _Tp>
__device__ _Tp tex2DLayeredLod(cudaTextureObject_t object, float x, float y,
                               int layer, float level);
template <class _Tp>
__device__ void tex2DLayeredLod(_Tp *result, cudaTextureObject_t object,
                                float x, float y, int layer, float level);
template <class _Tp>
__device__ _Tp tex2DLayeredLod(cudaTextureObject_t object, float x, float y,
                               int layer, float level, bool *resident);
template <class _Tp>
__device__ void tex2DLayeredLod(_Tp *result, cudaTextureObject_t object,
                                float x, float y, int layer, float level,
                                bool *resident);
template <class _Tp>
__device__ _Tp tex3DGrad(cudaTextureObject_t object, float x, float y, float z,
                         float4 dx, float4 dy);
template <class _Tp>
__device__ void tex3DGrad(_Tp *result, cudaTextureObject_t object, float x,
                          float y, float z, float4 dx, float4 dy);
template <class _Tp>
__device__ _Tp tex3DGrad(cudaTextureObject_t object, float x, float y, float z,
                         float4 dx, float4 dy, bool *resident);
template <class _Tp>
__device__ void tex3DGrad(_Tp *result, cudaTextureObject_t object, float x,
                          float y, float z, float4 dx, float4 dy,
                          bool *resident);
template <class _Tp>
__device__ _Tp texCubemapGrad(cudaTextureObject_t object, float x, float y,
                              float z, float4 dx, float4 dy);
template <class _Tp>
__device__ void texCubemapGrad(_Tp *result, cudaTextureObject_t object, float x,
                               float y, float z, float4 dx, float4 dy);
template <class _Tp>
__device__ _Tp texCubemapLayered(cudaTextureObject_t object, float x, float y,
                                 float z, int layer);
template <class _Tp>
__device__ void texCubemapLayered(_Tp *result, cudaTextureObject_t object,
                                  float x, float y, float z, int layer);
template <class _Tp>
__device__ _Tp texCubemapLayeredGrad(cudaTextureObject_t object, float x,
                                     float y, float z, int layer, float4 dx,
                                     float4 dy);
template <class _Tp>
__device__ void texCubemapLayeredGrad(_Tp *result, cudaTextureObject_t object,
                                      float x, float y, float z, int layer,
                                      float4 dx, float4 dy);
template <class _Tp>
__device__ _Tp texCubemapLayeredLod(cudaTextureObject_t object, float x,
                                    float y, float z, int layer, float level);
template <class _Tp>
__device__ void texCubemapLayeredLod(_Tp *result, cudaTextureObject_t object,
                                     float x, float y, float z, int layer,
                                     float level);
template <class _Tp>
__device__ _Tp texCubemapLod(cudaTextureObject_t object, float x, float y,
                             float z, float level);
template <class _Tp>
__device__ void texCubemapLod(_Tp *result, cudaTextureObject_t object, float x,
                              float y, float z, float level);
template <class _Tp>
__device__ _Tp
surf1DLayeredread(cudaSurfaceObject_t object, int x, int layer,
                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ void
surf1DLayeredread(_Tp *result, cudaSurfaceObject_t object, int x, int layer,
                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ void
surf1DLayeredwrite(_Tp value, cudaSurfaceObject_t object, int x, int layer,
                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ _Tp
surfCubemapread(cudaSurfaceObject_t object, int x, int y, int face,
                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ void
surfCubemapread(_Tp *result, cudaSurfaceObject_t object, int x, int y, int face,
                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ void
surfCubemapwrite(_Tp value, cudaSurfaceObject_t object, int x, int y, int face,
                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ _Tp
surfCubemapLayeredread(cudaSurfaceObject_t object, int x, int y, int layerface,
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ void
surfCubemapLayeredread(_Tp *result, cudaSurfaceObject_t object, int x, int y,
                       int layerface,
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class _Tp>
__device__ void
surfCubemapLayeredwrite(_Tp value, cudaSurfaceObject_t object, int x, int y,
                        int layerface,
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);

#endif // KPIPE_DECL_TEXTURES_H
