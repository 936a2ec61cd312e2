/** The versions of everything that a number or a fault may depend on. */
import { version as engineVersion, type DuckDBConnection } from '@duckdb/node-api'
import { createRequire } from 'node:module'
import { z } from 'zod'
import { codeVersion } from '../../lake/run/code-version.ts'

export interface Versions {
  /** Includes the hash of the models, as in a manifest. */
  tieout: string
  node: string
  duckdb: string
  /** The extensions that a lake needs; empty if the lake can't be opened. */
  duckdbExtensions: Record<string, string>
  temporalSdk: string
  /** Absent if no server answers or can be fetched. */
  temporalServer?: string
}

const Package = z.object({ version: z.string() })

/** The versions that are known before the lake or Temporal is asked. */
export const ownVersions = (): Versions => ({
  tieout: codeVersion(),
  node: process.versions.node,
  duckdb: engineVersion(),
  duckdbExtensions: {},
  temporalSdk: Package.parse(createRequire(import.meta.url)('@temporalio/client/package.json'))
    .version,
})

/** The extensions that this connection's engine has loaded from files, each with its version. */
export async function extensionVersions(
  connection: DuckDBConnection,
): Promise<Record<string, string>> {
  const reader = await connection.runAndReadAll(
    `select extension_name, extension_version from duckdb_extensions()
     where loaded and install_mode <> 'STATICALLY_LINKED' order by extension_name`,
  )
  return Object.fromEntries(
    reader.getRows().map(([name, version]) => [String(name), String(version)]),
  )
}

/** The versions as one line for a person. */
export function versionsText(versions: Versions): string {
  const { tieout, node, duckdb, duckdbExtensions, temporalSdk, temporalServer } = versions
  const extensions = Object.entries(duckdbExtensions).map((pair) => pair.join(' '))
  return [
    `tieout ${tieout}`,
    `Node ${node}`,
    `DuckDB ${duckdb}${extensions.length === 0 ? '' : ` with ${extensions.join(' and ')}`}`,
    `Temporal SDK ${temporalSdk}`,
    ...(temporalServer === undefined ? [] : [`server ${temporalServer}`]),
  ].join(', ')
}
