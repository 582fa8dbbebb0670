import { describe, expect, it } from 'vitest'
import {
  arabicFiles,
  helpPlaces,
  isHelpPage,
  linkedPlace,
  loadHelpPage,
  loadShownPage,
} from './help-pages.ts'
import { parseInline, parseMarkdown, type Block } from './markdown.ts'

const pages = Object.keys(arabicFiles).map((file) => /([\w-]+)\.md$/.exec(file)?.[1] ?? '')

/** The texts of a block that a reader reads. */
function textsOf(block: Block): string[] {
  switch (block.kind) {
    case 'list':
      return block.items
    case 'table':
      return [block.head, ...block.rows].flat()
    case 'code':
      return []
    case 'heading':
    case 'paragraph':
    default:
      return [block.text]
  }
}

/** What a translation keeps of a block: its form, its code, and where its links lead. */
function kept(block: Block, path: string) {
  const parts = textsOf(block).flatMap(parseInline)
  return {
    kind: block.kind,
    form:
      block.kind === 'heading'
        ? block.level
        : block.kind === 'table'
          ? block.rows.map((row) => row.length)
          : textsOf(block).length,
    code:
      block.kind === 'code'
        ? block.text
        : parts.flatMap(({ kind, text }) => (kind === 'code' ? [text] : [])).toSorted(),
    links: parts
      .flatMap((part) => (part.kind === 'link' ? [part.href] : []))
      .map((href) => linkedPlace(href, path) ?? href.replace(/^.*\//, ''))
      .map((place) => JSON.stringify(place))
      .toSorted(),
  }
}

it('there are twelve, and each is a page that the help has in English', () => {
  expect(pages).toHaveLength(12)
  expect(pages.filter((page) => !isHelpPage(page))).toEqual([])
  const shown = new Set(helpPlaces.map(([, { page }]) => page))
  expect(pages.filter((page) => shown.has(page)).length).toBeGreaterThan(6)
})

describe.each(pages)('%s in Arabic', (page) => {
  it('has the sections, tables, lists, code and links of the English page', async () => {
    const english = parseMarkdown(await loadHelpPage(page))
    const arabic = await loadShownPage(page, 'ar')
    expect(arabic.language).toBe('ar')
    expect(arabic.blocks.map((block) => kept(block, arabic.path))).toEqual(
      english.map((block) => kept(block, page)),
    )
  })

  it('is Arabic in every heading, paragraph and item', async () => {
    const { blocks } = await loadShownPage(page, 'ar')
    const read = blocks.filter(({ kind }) => kind !== 'table').flatMap(textsOf)
    const words = (text: string) =>
      parseInline(text)
        .filter(({ kind }) => kind !== 'code')
        .map((part) => part.text)
        .join('')
    const latin = read.filter((text) => /[A-Za-z]{3}/.test(words(text)))
    expect(read.length).toBeGreaterThan(5)
    expect(latin.filter((text) => !/\p{Script=Arabic}/u.test(text))).toEqual([])
  })

  it('has no mark that is left as text, as one of stress behind an Arabic letter', async () => {
    const { blocks } = await loadShownPage(page, 'ar')
    const texts = blocks.flatMap(textsOf).flatMap(parseInline)
    expect(texts.filter(({ kind, text }) => kind !== 'code' && /[_*`]/.test(text))).toEqual([])
  })

  it('has headings to which the links of the English page lead', async () => {
    const ids = (blocks: readonly Block[]) =>
      blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : []))
    const { blocks } = await loadShownPage(page, 'ar')
    expect(ids(blocks)).toEqual(ids(parseMarkdown(await loadHelpPage(page))))
  })
})

it('a page without a translation is shown in English, and every page is on an English screen', async () => {
  expect(await loadShownPage('glossary', 'ar')).toMatchObject({ language: 'en', path: 'glossary' })
  expect(await loadShownPage('home', 'en')).toMatchObject({ language: 'en', path: 'home' })
})
