/** The parts of Amazon's library that tieout uses: objects of a store, and the chain of credentials. */
export {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
export { fromNodeProviderChain } from '@aws-sdk/credential-providers'
