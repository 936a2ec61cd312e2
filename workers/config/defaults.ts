/** The defaults of the settings that a flag, a variable or a key of the config file can set. */
export const DEFAULTS = {
  config: 'tieout.yaml',
  account: 'default',
  timezone: 'UTC',
  lake: './data',
  out: './out',
  metrics: '127.0.0.1:9464',
  csv_profile: 'machine',
} as const
