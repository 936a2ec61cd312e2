import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSummary } from '../../../reports/pack/summary.ts'
import { renderHtml } from '../../../reports/page/summary-html.ts'
import { needs, requireProgram } from '../../support/outside-program.ts'
import { tempFolder } from '../../support/temp-lake.ts'
import { aboutOf, sourceOf } from './fake-source.ts'
import { PAGE_WORLD } from './page-world.ts'
import { summarized, type World } from './summary-world.ts'

let browser: Browser | undefined
beforeAll(async () => {
  if (!needs('chromium')) return
  // Chromium refuses its sandbox to root, as whom continuous integration runs.
  const options = { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] }
  browser = await chromium.launch(options)
}, 60_000)
afterAll(() => browser?.close())

interface Opened {
  page: Page
  /** The browser's complaints, and every address that it requested. */
  complaints: string[]
  requests: string[]
}

async function open(
  width: number,
  world: World = PAGE_WORLD,
  about: { account?: string } = {},
): Promise<Opened> {
  const file = join(tempFolder(), 'summary.html')
  const summary = await readSummary(sourceOf(await summarized(world)))
  writeFileSync(file, renderHtml(summary, aboutOf('out', about)))
  if (browser === undefined) throw new Error('the browser was started')
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  const [complaints, requests]: [string[], string[]] = [[], []]
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(`file://${file}`)
  return { page, complaints, requests }
}

/** Elements that reach beyond the right edge, even if they could be scrolled to; the page's width against the window's. */
const OVERFLOW = `(() => {
  document.querySelectorAll('details').forEach((part) => { part.open = true })
  const wide = [...document.querySelectorAll('body *')].filter((element) =>
    element.getBoundingClientRect().right > innerWidth + 0.5)
  return { by: wide.map((element) => element.outerHTML.slice(0, 80)), page: document.documentElement.scrollWidth - innerWidth }
})()`

/** Texts whose colour is too close to what is behind them, with the ratio as WCAG computes it. */
const FAINT = `(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number)
  const light = (color) => {
    const [r, g, b] = parts(color).map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (element) => {
    for (let up = element; up !== null; up = up.parentElement) {
      const color = getComputedStyle(up).backgroundColor
      if (parts(color)[3] !== 0) return color
    }
    return 'rgb(255, 255, 255)'
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  let seen = 0
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    if (texts.currentNode.data.trim() === '' || ['title', 'desc', 'STYLE'].includes(element.tagName)) continue
    seen += 1
    const style = getComputedStyle(element)
    const color = element instanceof SVGElement ? style.fill : style.color
    const [a, b] = [light(color), light(behind(element))].sort((x, y) => y - x)
    const ratio = (a + 0.05) / (b + 0.05)
    if (ratio < 4.5) found.push([texts.currentNode.data.trim().slice(0, 40), color, ratio.toFixed(2)].join(' '))
  }
  return { seen, found }
})()`

describe.each([1280, 390])('a window of %i pixels', (width) => {
  test('the page shows its findings, loads nothing, and causes no complaint', async (context) => {
    requireProgram(context, 'chromium')
    const { page, complaints, requests } = await open(width)
    const text = await page.innerText('body')
    for (const words of [
      '2 of 9 settlements of this range differ from their transactions, unexplained.',
      'Compared with run run-0, which was approved',
      'Settlement 902',
      'it counts once here, and twice in the reported net.',
      'it is subtracted here, and the reported net adds it.',
      'of the range = settlements listed',
      'REFUND_CEILING_BREACH',
      'Front desk',
    ]) {
      expect(text).toContain(words)
    }
    expect(complaints).toEqual([])
    expect(requests.map((url) => url.split('/').at(-1))).toEqual(['summary.html'])
    await page.close()
  })

  test('nothing is wider than the window', async (context) => {
    requireProgram(context, 'chromium')
    const { page } = await open(width)
    expect(await page.evaluate(OVERFLOW)).toEqual({ by: [], page: 0 })
    await page.close()
  })

  test('every text has a contrast of at least 4.5 to 1', async (context) => {
    requireProgram(context, 'chromium')
    const { page } = await open(width)
    await page.evaluate(
      `document.querySelectorAll('details').forEach((part) => { part.open = true })`,
    )
    const { seen, found } = await page.evaluate<{ seen: number; found: string[] }>(FAINT)
    expect(found).toEqual([])
    expect(seen).toBeGreaterThan(300)
    // The measure finds what is faint.
    await page.evaluate(`document.querySelector('h1').attributeStyleMap.set('color', '#999')`)
    expect((await page.evaluate<{ found: string[] }>(FAINT)).found).toHaveLength(1)
    await page.close()
  })
})

test('every drawing has a title and a text for those who can’t see it, and every id is unique', async (context) => {
  requireProgram(context, 'chromium')
  const { page } = await open(1280)
  const drawings = await page.evaluate<
    string[][]
  >(`[...document.querySelectorAll('svg')].map((svg) =>
    svg.getAttribute('aria-labelledby').split(' ').map((id) => document.getElementById(id)?.textContent ?? ''))`)
  expect(drawings.length).toBeGreaterThan(10)
  expect(drawings.flat().filter((words) => words === '')).toEqual([])
  const ids = await page.evaluate<string[]>(
    `[...document.querySelectorAll('[id]')].map(({ id }) => id)`,
  )
  expect(new Set(ids).size).toBe(ids.length)
  await page.close()
})

/** The width and the height in pixels of an A4 sheet inside its margins. */
const PAPER = { width: 695, height: 994 }

test('a printed page is unfolded, and nothing is wider than the sheet', async (context) => {
  requireProgram(context, 'chromium')
  const { page } = await open(PAPER.width)
  const isOpen = () => page.locator('details table').first().isVisible()
  expect(await isOpen()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  expect(await isOpen()).toBe(true)
  expect(await page.locator('nav').isVisible()).toBe(false)
  expect(await page.evaluate(OVERFLOW)).toEqual({ by: [], page: 0 })
  await page.close()
})

/** For each element that a page break must not divide: its own rule, and its height. */
const WHOLE = `[...document.querySelectorAll('.card, figure, .banner, tbody tr')].map((element) =>
  [element.className || element.tagName, getComputedStyle(element).breakInside, element.getBoundingClientRect().height])`

test('a page break divides no card, no chart and no row, and leaves no heading behind', async (context) => {
  requireProgram(context, 'chromium')
  const { page } = await open(PAPER.width)
  await page.emulateMedia({ media: 'print' })
  const whole = await page.evaluate<[string, string, number][]>(WHOLE)
  expect(whole.filter(([name]) => name === 'card').length).toBeGreaterThan(4)
  expect(whole.filter(([name]) => name === 'FIGURE').length).toBeGreaterThan(3)
  expect(whole.filter(([, rule, height]) => rule !== 'avoid' || height > PAPER.height)).toEqual([])
  const after = `[...document.querySelectorAll('h2, h3, .legend')].map((element) => getComputedStyle(element).breakAfter)`
  expect(new Set(await page.evaluate<string[]>(after))).toEqual(new Set(['avoid']))
  await page.close()
})

test('the page of two breaks and four explained differences has at most seven sheets of paper', async (context) => {
  requireProgram(context, 'chromium')
  const { page } = await open(1280)
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const sheets = pdf.match(/\/Type\s*\/Page\b(?!s)/g) ?? []
  // The number depends on the fonts of the machine.
  expect(sheets.length).toBeGreaterThan(3)
  expect(sheets.length).toBeLessThanOrEqual(7)
  await page.close()
})

test('every sheet of paper names the account, the range, the currency and its number, whatever the characters', async (context) => {
  requireProgram(context, 'chromium')
  const account = 'Zoë "x"; } </style><b> \\'
  const { page, complaints } = await open(1280, PAGE_WORLD, { account })
  const rules = await page.evaluate<string>(
    `[...document.styleSheets[0].cssRules].filter((rule) => rule instanceof CSSPageRule).map((rule) => rule.cssText).join()`,
  )
  for (const words of [
    `"Zoë \\"x\\"; } </style><b> \\\\, 2026-02-01 up to, but not including, 2026-03-01"`,
    '"Amounts in USD"',
    '"Page " counter(page) " of " counter(pages)',
  ]) {
    expect(rules).toContain(words)
  }
  expect(complaints).toEqual([])
  await page.close()
})

test('a table on a narrow page shows each cell with its heading', async (context) => {
  requireProgram(context, 'chromium')
  const { page } = await open(390)
  const labels = await page.evaluate<string[]>(
    `[...document.querySelectorAll('#control-totals tbody tr:first-child td')].map((cell) => getComputedStyle(cell, '::before').content)`,
  )
  expect(labels).toEqual(['none', '"Expected"', '"Actual"', '"Difference"', '"Holds"'])
  expect(await page.locator('#control-totals thead').isVisible()).toBe(false)
  await page.close()
})

test('every amount of the page has separators of thousands', async (context) => {
  requireProgram(context, 'chromium')
  const { page } = await open(1280)
  const text = await page.evaluate<string>(
    `[...document.querySelectorAll('td, dd, li, p, svg text')].map((element) => element.textContent).join('\\n')`,
  )
  expect(text).toContain('-900,719.25')
  expect(text.match(/\d{4,}\.\d{2}\b.*/g) ?? []).toEqual([])
  await page.close()
})

test('a name that is markup is shown as text', async (context) => {
  requireProgram(context, 'chromium')
  const nasty = '<img src=x onerror=alert(1)><script>alert(2)</script>'
  const settlements = (PAGE_WORLD['settlements'] ?? []).map((row) => ({
    ...row,
    terminalName: nasty,
  }))
  const { page, complaints } = await open(1280, { ...PAGE_WORLD, settlements })
  expect(await page.locator('img, script').count()).toBe(0)
  expect(await page.innerText('body')).toContain(nasty)
  expect(complaints).toEqual([])
  await page.close()
})
