/** The manifest: the origin of a pack, and the hash of every file in it. */
import { hash } from 'node:crypto'
import { guardedColumns } from './pack-files.ts'
import type { PackAbout, Row } from './pack-source.ts'

/** Rises if a key is taken away or changes its meaning. Manifests of earlier versions have no such key. */
export const MANIFEST_VERSION = 1

export interface ManifestFile {
  /** Path inside the pack, with `/`. */
  name: string
  /** Without the header. */
  rows: number
  bytes: number
  sha256: string
}

/** The content of manifest.json, which lists every file except itself. */
export function manifestOf(made: {
  about: PackAbout
  controlTotals: readonly Row[]
  files: readonly ManifestFile[]
}): Record<string, unknown> {
  const { about } = made
  return {
    schemaVersion: MANIFEST_VERSION,
    ...identityOf(about),
    parameters: about.parameters,
    certificate: about.certificate,
    csvProfile: about.csvProfile,
    ...(about.preparedBy === undefined ? {} : { preparedBy: about.preparedBy }),
    counts: about.counts ?? {},
    unknownNames: about.unknownNames ?? {},
    ...(Object.keys(about.emptyValues ?? {}).length === 0
      ? {}
      : { emptyValues: about.emptyValues }),
    controlTotals: made.controlTotals,
    guards: {
      note: "Free text that begins with = + - @, a tab or a carriage return has a ' before it; nothing else is changed.",
      columns: guardedColumns(),
    },
    files: made.files,
  }
}

/**
 * The text of manifest.json. Its last line is the hash of all lines above, so that no byte can
 * change unseen.
 */
export function manifestText(manifest: Readonly<Record<string, unknown>>): string {
  const content = JSON.stringify(manifest, undefined, 2)
  const manifestSha256 = hash('sha256', content)
  return `${JSON.stringify({ ...manifest, manifestSha256 }, undefined, 2)}\n`
}

/** True if the text is the manifest of this run with this knowledge, parameters and code. */
export function sameRun(manifest: string, about: PackAbout): boolean {
  try {
    const found: unknown = JSON.parse(manifest)
    if (typeof found !== 'object' || found === null) return false
    const entries = new Map<string, unknown>(Object.entries(found))
    return Object.entries(identityOf(about)).every(([key, value]) => entries.get(key) === value)
  } catch {
    return false
  }
}

function identityOf(about: PackAbout): Record<string, string> {
  return {
    runId: about.runId,
    account: about.account,
    from: about.window.from,
    to: about.window.to,
    asOf: about.asOf,
    knownAt: about.knownAt,
    codeVersion: about.codeVersion,
    configHash: about.configHash,
  }
}
