import { expect, test } from 'vitest'
import { rowsFromCells } from './paste-rows.ts'

const read = (text: string, room = 200) => {
  const { rows, refused } = rowsFromCells(text, { room })
  return { rows: rows.map(({ id: _, ...row }) => Object.values(row).join('|')), refused }
}

test('From, To, and if there are more cells Custom Input and Type', () => {
  expect(read('id\tno\nname\tbuyer.name\tnobody\n\ttotal\t5\tnumber\r\n')).toEqual({
    rows: ['id|no||auto', 'name|buyer.name|nobody|auto', '|total|5|number'],
    refused: [],
  })
})

test('a first line of names says another order', () => {
  expect(read('To\tValue\tFrom\nno\t\tid\n').rows).toEqual(['id|no||auto'])
})

test('quotes are taken off a cell that begins and ends with them, and stay in a function', () => {
  expect(read('concat(a, " ", b)\tx\n"a"\tb').rows).toEqual([
    'concat(a, " ", b)|x||auto',
    'a|b||auto',
  ])
  expect(read('id\tx\t"two\nlines"').rows).toEqual(['id|x|two\nlines|auto'])
})

test('a line that can’t be a row is refused by itself, with the reason', () => {
  const { rows, refused } = read('id\tno\nname\n\n..\tx\nid\ty\t\tdecimal')
  expect(rows).toEqual(['id|no||auto'])
  expect(refused.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'Fill in To.'],
    [4, expect.stringContaining('".."')],
    [5, expect.stringContaining('decimal')],
  ])
})

test('what there is no room for is refused', () => {
  expect(read('a\ta\nb\tb', 1)).toMatchObject({
    rows: ['a|a||auto'],
    refused: [{ line: 2, reason: 'There is no room.' }],
  })
})

test('nothing is no row', () => expect(read(' \n\n')).toEqual({ rows: [], refused: [] }))
