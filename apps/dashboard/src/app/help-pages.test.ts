import { expect, test } from 'vitest'
import { screens } from './screens.tsx'
import {
  errorPlace,
  helpPlaceOf,
  helpPlaces,
  isHelpPage,
  linkedPlace,
  loadHelpPage,
  namedPlace,
} from '../features/help/help-pages.ts'
import { parseInline, parseMarkdown } from '../features/help/markdown.ts'

test.each(helpPlaces.map(([prefix, place]) => [prefix, place] as const))(
  'the help for %s leads to a page and a heading that are there',
  async (_, { page, section }) => {
    expect(isHelpPage(page)).toBe(true)
    const blocks = parseMarkdown(await loadHelpPage(page))
    const ids = blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : []))
    if (section !== undefined) expect(ids).toContain(section)
  },
)

test('an address names a page and a heading, as refusals of the server do', async () => {
  const place = errorPlace('run.key_reused')
  expect(namedPlace('errors/run.key_reused')).toEqual(place)
  const blocks = parseMarkdown(await loadHelpPage('errors'))
  expect(blocks).toContainEqual({
    kind: 'heading',
    level: 3,
    text: 'run.key_reused',
    id: place.section,
  })
  expect(namedPlace('runs')).toEqual({ page: 'runs' })
  expect(namedPlace('operations/logs')).toEqual({ page: 'operations/logs' })
  expect(namedPlace('operations/logs/Files')).toEqual({
    page: 'operations/logs',
    section: 'files',
  })
  expect(namedPlace('../secrets')).toBeUndefined()
})

test('a link leads to a place among the pages, from a folder of them too', () => {
  expect(linkedPlace('runs.md#states', 'home')).toEqual({ page: 'runs', section: 'states' })
  expect(linkedPlace('#states', 'runs')).toEqual({ page: 'runs', section: 'states' })
  expect(linkedPlace('logs.md', 'operations/faults')).toEqual({ page: 'operations/logs' })
  expect(linkedPlace('../runs.md', 'operations/faults')).toEqual({ page: 'runs' })
  expect(linkedPlace('decisions/0003-unknown-is-a-state.md', 'runs')).toBeUndefined()
})

test('only the home screen gets the page of the home screen', () => {
  const others = screens
    .flatMap(({ paths }) => paths)
    .filter((path) => helpPlaceOf(path).page === 'home')
  expect(others).toEqual(['/dashboard', '/'])
})

test('every part of a page becomes a block', () => {
  const text = [
    '# Title `x`',
    '',
    'One line',
    'and one more.',
    '',
    '- first',
    '  goes on',
    '- second',
    '',
    '1. one',
    '',
    '| a | b \\| c |',
    '| - | - |',
    '| 1 | 2 |',
    '',
    '```sh',
    'npm # start',
    '```',
    'The end.',
  ].join('\n')
  expect(parseMarkdown(text)).toEqual([
    { kind: 'heading', level: 1, text: 'Title `x`', id: 'title-x' },
    { kind: 'paragraph', text: 'One line and one more.' },
    { kind: 'list', isOrdered: false, items: ['first goes on', 'second'] },
    { kind: 'list', isOrdered: true, items: ['one'] },
    { kind: 'table', head: ['a', 'b | c'], rows: [['1', '2']] },
    { kind: 'code', text: 'npm # start' },
    { kind: 'paragraph', text: 'The end.' },
  ])
})

test('a line has code, links and stress; HTML stays text', () => {
  expect(parseInline('a `b_c_d` [e](f.md#g) **h** _i_ x_y_z <b> <https://j.example>')).toEqual([
    { kind: 'text', text: 'a ' },
    { kind: 'code', text: 'b_c_d' },
    { kind: 'text', text: ' ' },
    { kind: 'link', text: 'e', href: 'f.md#g' },
    { kind: 'text', text: ' ' },
    { kind: 'strong', text: 'h' },
    { kind: 'text', text: ' ' },
    { kind: 'emphasis', text: 'i' },
    { kind: 'text', text: ' x_y_z <b> ' },
    { kind: 'link', text: 'https://j.example', href: 'https://j.example' },
  ])
})
