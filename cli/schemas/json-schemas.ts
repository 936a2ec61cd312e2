/** JSON Schemas of the manifest, of the webhook's message, and of the JSON that commands print. */
import { z } from 'zod'
import { Failure } from '../../domain/failure.ts'
import { OUTPUTS } from './output-schemas.ts'

/** Rises if a key is taken away or changes its meaning, which a major version of tieout may do. */
const OUTPUT_VERSION = 1

export const OUTPUT_NAMES = Object.keys(OUTPUTS)

const BESIDE_COMMANDS: Readonly<Record<string, string>> = {
  manifest: 'manifest.json of a pack',
  webhook: 'message of the webhook',
}

const isOutput = (name: string): name is keyof typeof OUTPUTS => Object.hasOwn(OUTPUTS, name)

/** Makes the schema of an output: draft 7, with its version in the title and in `$id`. Throws usage for another name. */
export function outputJsonSchema(name: string): object {
  if (!isOutput(name)) {
    throw new Failure('usage', `no output is called ${name}`, {
      remedy: `name one of: ${OUTPUT_NAMES.join(', ')}`,
    })
  }
  const what = BESIDE_COMMANDS[name] ?? `tieout ${name} --json`
  return {
    title: `${what}, version ${OUTPUT_VERSION}`,
    $id: `tieout:${name.replaceAll(/\W+/g, '-')}:${OUTPUT_VERSION}`,
    ...z.toJSONSchema(OUTPUTS[name], { target: 'draft-7' }),
  }
}
