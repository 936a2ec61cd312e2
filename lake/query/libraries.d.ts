/** The library as one file, which deploy/bundle-libraries.mjs makes; its types are the library's. */
declare module '#libraries/arrow' {
  export * from 'apache-arrow'
}
