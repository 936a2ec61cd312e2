/** The gRPC status of a failed call to Temporal. */
import { isGrpcServiceError } from '@temporalio/client'

/** The gRPC status numbers that tieout handles. */
export const GRPC = {
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  unavailable: 14,
} as const

/** The gRPC status of a failed call; undefined for any other error. */
export const grpcStatus = (error: unknown): number | undefined =>
  isGrpcServiceError(error) ? error.code : undefined
