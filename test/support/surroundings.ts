/** Variables of this process that mean nothing to tieout, and the folder of its downloads. */
export const surroundings = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(TIEOUT_(?!CACHE$|TEMPORAL_CLI$)|TEMPORAL_|NODE_OPTIONS$|VITEST)/.test(name),
    ),
  )
