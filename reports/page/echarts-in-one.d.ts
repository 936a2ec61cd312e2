/**
 * The library as one file, which loads ten times as fast as its many modules and has the same
 * types.
 */
declare module 'echarts/dist/echarts.esm.min' {
  export * from 'echarts'
}
