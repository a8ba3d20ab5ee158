// What axe finds on a page, or in what lies open on it, and what it cannot find: headings out of order, and actions that a table hides.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { onlyLong } from '../support/run/long-form.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A page that was loaded anew does not have it yet. */
export async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(axe)
}

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

const grave = ['serious', 'critical']

/** Less than serious to axe, but of use to somebody who hears a page; and targets of 24 pixels, which it does not check by itself. */
const alsoRun = ['region', 'landmark-one-main', 'landmark-no-duplicate-main', 'landmark-unique', 'target-size']

interface Search {
  /** Only in there; else everywhere. */
  readonly within?: string
  /** Only these rules. */
  readonly rules?: readonly string[]
  /** All but these. */
  readonly without?: readonly string[]
}

/** In the suite: the rows of a table are drawn by the same columns, so the first of them stand for the others. */
const repeated = onlyLong('every-page', 'rows of a table after the sixth') ? [] : ['tbody > tr:nth-child(n + 7)']

/**
 * What axe considers serious, one line for each place. Rules that can find nothing serious are not run: they take a third of
 * its time. Which these are, only axe's own list tells.
 */
export async function findProblems(page: Page, { within, rules, without = [] }: Search = {}): Promise<string[]> {
  const found = (await page.evaluate(`(() => {
    const also = ${JSON.stringify(alsoRun)}
    const minor = axe._audit.rules
      .filter(({ id, impact }) => !${JSON.stringify(grave)}.includes(impact) && !also.includes(id) || ${JSON.stringify(without)}.includes(id))
      .map(({ id }) => [id, { enabled: false }])
    const chosen = ${
      rules === undefined
        ? '{ rules: Object.fromEntries([...minor, ...also.map(id => [id, { enabled: true }])]) }'
        : `{ runOnly: { type: 'rule', values: ${JSON.stringify(rules)} } }`
    }
    const where = { include: ${JSON.stringify([within ?? ':root'])}, exclude: ${JSON.stringify(repeated)}.filter(each => document.querySelector(each) !== null) }
    return axe.run(where, { resultTypes: ['violations'], iframes: false, ...chosen }).then(({ violations }) => violations)
  })()`)) as Finding[]
  return found
    .filter(({ id, impact }) => grave.includes(impact) || alsoRun.includes(id))
    .flatMap(({ id, nodes }) =>
      nodes
        // What lies half under a bar can be scrolled: its size is another matter.
        .filter(({ failureSummary }) => !failureSummary.includes('partially obscured'))
        .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary.replace(/\s+/g, ' ')}`),
    )
}

const contrast = ['color-contrast', 'link-in-text-block']

/**
 * That nothing serious is in the dialog that is open, where a story gives it an occasion that the demo does not have. `source` is the
 * file that draws it, under web/. In light, and in dark too in the long form.
 */
export async function examineOverlay(page: Page, source: string): Promise<void> {
  const search = { within: '[role=dialog]' }
  await bringAxe(page)
  const found = await findProblems(page, search)
  if (onlyLong('every-page', 'dialogs of other tests in the dark')) {
    await page.emulateMedia({ colorScheme: 'dark' })
    found.push(...(await findProblems(page, { ...search, rules: contrast })))
    await page.emulateMedia({ colorScheme: 'light' })
  }
  expect(found, source).toEqual([])
}

/** One first heading, and no level left out on the way down. */
export async function findHeadingProblems(page: Page): Promise<string[]> {
  const headings = (await page.evaluate(
    `[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(each => each.checkVisibility())
      .map(each => [Number(each.tagName[1]), each.textContent.trim()])`,
  )) as [number, string][]
  const firsts = headings.filter(([level]) => level === 1).length
  const skips = headings.filter(([level], i) => level > (headings[i - 1]?.[0] ?? 0) + 1)
  return [
    ...(firsts === 1 ? [] : [`${firsts} first headings`]),
    ...skips.map(([level, text]) => `a heading of level ${level} without one of level ${level - 1} above: ${text}`),
  ]
}

/** What can be pressed in a table, but only after it was scrolled to the side. */
export async function findHiddenActions(page: Page): Promise<string[]> {
  const hidden = (await page.evaluate(
    `[...document.querySelectorAll('.scroll-x')].flatMap(area => {
      const edge = area.getBoundingClientRect().right + 1
      return [...area.querySelectorAll('button, a')]
        .filter(each => each.checkVisibility() && each.getBoundingClientRect().right > edge)
        .map(each => (each.getAttribute('aria-label') ?? each.textContent).trim())
    })`,
  )) as string[]
  return hidden.map(words => `beyond the edge of its table: ${words}`)
}
