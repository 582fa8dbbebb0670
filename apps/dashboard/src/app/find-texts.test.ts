import { expect, it } from 'vitest'
import { findTexts } from '../../bundling/texts/find-texts.ts'

const find = (source: string) => findTexts('/example.tsx', source)
const textsOf = (source: string) => find(source).texts

it('takes the text of an element, with lines joined as React joins them', () => {
  const source = `const a = <p>\n  No user has it,\n  so no user loses anything.\n</p>`
  expect(textsOf(source)).toEqual(['No user has it, so no user loses anything.'])
})

it('takes a sentence with its elements and values as one text', () => {
  const { code, texts } = find(`const a = <p><b>{role.name}</b> has {count} users.</p>`)
  expect(texts).toEqual(['{0} has {1} users.'])
  expect(code).toBe(`const a = <p>{__nodes("{0} has {1} users.", <b>{role.name}</b>, (count))}</p>`)
})

it('keeps the numbers of the lines', () => {
  const source = `const a = (\n  <p title="One\n    two">\n    Some words{' '}\n    <b>there</b>\n  </p>\n)\nlast`
  const { code } = find(source)
  expect(code.split('\n')).toHaveLength(source.split('\n').length)
  expect(code.split('\n').at(-1)).toBe('last')
})

it('takes texts within what is filled in', () => {
  const source = `const a = <p>It is {isOn ? 'on' : <i title="Since today">off again</i>}.</p>`
  expect(textsOf(source)).toEqual(['It is {0}.', 'on', 'off again', 'Since today'])
})

it('leaves icons before and after a text out of it', () => {
  expect(find(`const a = <b><IconX size={1} /> Close</b>`)).toEqual({
    code: `const a = <b><IconX size={1} />{' '}{__text("Close")}</b>`,
    texts: ['Close'],
  })
})

it('takes attributes and properties that are shown, in small letters too', () => {
  const source = `const a = <F label="name" value="value" className="big red" type="submit" />
    const columns = [{ head: 'days', width: '9rem', sort: 'name', cell: () => 'Never again' }]`
  expect(textsOf(source)).toEqual(['name', 'days', 'Never again'])
})

it('takes templates with what they fill in', () => {
  const { code, texts } = find('const a = { title: `${count} users of ${name.trim()}` }')
  expect(texts).toEqual(['{0} users of {1}'])
  expect(code).toBe('const a = { title: __text("{0} users of {1}", (count), (name.trim())) }')
})

it('takes every word of a table of words', () => {
  expect(textsOf(`const stateWords = { done: 'done', failed: 'failed' } as const`)).toEqual([
    'done',
    'failed',
  ])
})

it.each([
  `if (state === 'Not found') leave('/dashboard/admin')`,
  `throw new Error('index.html has no #root')`,
  `import { Some } from 'Some thing'; type A = 'Some words'`,
  `const a = <Code>GET Some words</Code>`,
  `const a = { 'Content-Type': 'application/json', color: 'Some Red' }`,
  `switch (a) { case 'Some words': break }`,
  'const url = `/api/users/${id}`; const style = `1px solid var(--line)`',
])('takes nothing that people do not read: %s', (source) => {
  expect(find(source)).toEqual({ code: source, texts: [] })
})
