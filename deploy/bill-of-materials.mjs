/**
 * Reads npm's bill of all installed packages on stdin, and prints the part that users install. `npm sbom --omit=dev`
 * also leaves out packages that a tool of developers shares with the program, such as Temporal's.
 */
import { readFileSync } from 'node:fs'

const bill = JSON.parse(readFileSync(0, 'utf8'))
const isForDevelopers = ({ properties = [] }) =>
  properties.some(({ name }) => name === 'cdx:npm:package:development')
const components = bill.components.filter((component) => !isForDevelopers(component))
const refs = new Set([
  bill.metadata.component['bom-ref'],
  ...components.map((one) => one['bom-ref']),
])
const dependencies = bill.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, undefined, 2)}\n`)
