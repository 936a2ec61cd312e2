/** The library as one file, which deploy/bundle-libraries.mjs makes; its types are the library's. */
declare module '#libraries/aws' {
  export * from '@aws-sdk/client-s3'
  export { fromNodeProviderChain } from '@aws-sdk/credential-providers'
}
