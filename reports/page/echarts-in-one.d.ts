/** The library as one file: it is read ten times as fast as its many modules, and has the same types. */
declare module 'echarts/dist/echarts.esm.min' {
  export * from 'echarts'
}
