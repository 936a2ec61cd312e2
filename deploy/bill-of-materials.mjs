/**
 * Reads npm's bill of all installed packages on stdin, and prints the part that users have: the packages that they
 * install, those inside dist/libraries, and the vendored file of htmx. `npm sbom --omit=dev` also leaves out packages
 * that a tool of developers shares with the program, such as Temporal's.
 */
import { readFileSync } from 'node:fs'

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const bundled = JSON.parse(read('dist/libraries/packages.json'))
const [, htmxVersion] = /version:"([^"]+)"/.exec(read('web/assets/htmx.min.js'))
const HTMX = {
  'bom-ref': `htmx.org@${htmxVersion}`,
  type: 'library',
  name: 'htmx.org',
  version: htmxVersion,
  purl: `pkg:npm/htmx.org@${htmxVersion}`,
  licenses: [{ license: { id: '0BSD' } }],
}

const bill = JSON.parse(readFileSync(0, 'utf8'))
const isForDevelopers = ({ properties = [] }) =>
  properties.some(({ name }) => name === 'cdx:npm:package:development')
/** npm gives the scope of a package apart from its name, or within it. */
const nameOf = ({ group, name }) => (group === undefined ? name : `${group}/${name}`)
const isBundled = (component) => bundled.includes(nameOf(component))
const withoutMark = (component) => ({ ...component, properties: [] })
const components = bill.components
  .filter((component) => isBundled(component) || !isForDevelopers(component))
  .map((component) => (isBundled(component) ? withoutMark(component) : component))
components.push(HTMX)
const root = bill.metadata.component['bom-ref']
const refs = new Set([root, ...components.map((one) => one['bom-ref'])])
const dependencies = bill.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({
    ref,
    dependsOn: [
      ...dependsOn.filter((one) => refs.has(one)),
      ...(ref === root ? [HTMX['bom-ref']] : []),
    ],
  }))
process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, undefined, 2)}\n`)
