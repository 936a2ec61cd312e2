/** The JSON Schema of the config file, with which editors complete and check it. */
import { join } from 'node:path'
import { z } from 'zod'
import { packageRoot } from '../../lake/connection/package-root.ts'
import { configSchema, general } from './config-file.ts'
import { keyText } from './key-texts.ts'

/** The file that the build makes of it. */
export const SCHEMA_FILE = join(packageRoot, 'dist', 'config.schema.json')

interface Node {
  description?: string
  maximum?: number
  format?: string
  properties?: Record<string, Node>
  items?: Node
}

/** Makes the schema: draft 7, which editors know best. */
export function configJsonSchema(): object {
  const made = z.toJSONSchema(configSchema, {
    ...{ io: 'input', target: 'draft-7', unrepresentable: 'any' },
  })
  // A copy, because equal parts may be one object.
  const schema: Node = JSON.parse(JSON.stringify(made))
  describe(schema, [])
  // The limit depends on the machine, and the file may be for another one.
  delete schema.properties?.['duckdb']?.properties?.['threads']?.maximum
  return { title: 'tieout.yaml', ...schema }
}

function describe({ properties = {} }: Node, path: readonly string[]): void {
  for (const [key, inner] of Object.entries(properties)) {
    const isGeneral = path.length === 1 && path[0] === 'accounts' && Object.hasOwn(general, key)
    const here = isGeneral ? [key] : [...path, key]
    const text = keyText(here)
    if (text !== undefined) inner.description = text
    // The pattern beside it says the same; editors don't know this word.
    if (inner.format === 'starts_with') delete inner.format
    describe(inner, here)
    if (inner.items !== undefined) describe(inner.items, here)
  }
}
