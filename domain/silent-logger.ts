/**
 * A logger for Amazon's library. Its own would write requests, accounts and files of this machine to stderr.
 */
export const SILENT_LOGGER = { debug() {}, info() {}, warn() {}, error() {} }
