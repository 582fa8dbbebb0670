import { expect, test } from 'vitest'
import { badRows, goodRows, withRows } from './mend-csv.ts'

const rows = ['number,name\r\n', 'A,1\r\n', '\r\nB,"x\ny"\r\n', 'C,ü\r\n', 'D']
const file = new File([rows.join('')], 'june.csv', { type: 'text/csv' })
const size = (text: string) => new TextEncoder().encode(text).length
const at = (row: number) => size(rows.slice(0, row).join(''))
const csv = {
  columns: ['number', 'name'],
  header_bytes: at(1),
  bad_rows: [2, 4].map((line) => ({ line, from: at(line), to: at(line + 1) })),
}

test('mended rows take their places, quoted where they need it', async () => {
  const mended = withRows(file, csv, new Map([[2, ['B', 'say "x, y"']]]))
  expect(await mended.text()).toBe(
    ['number,name\r\n', 'A,1\r\n', 'B,"say ""x, y"""\r\n', 'C,ü\r\n', 'D'].join(''),
  )
  expect(mended.name).toBe('june.csv')
})

test('the rows that fit are those that are left without the bad ones', async () => {
  expect(await goodRows(file, csv).text()).toBe('number,name\r\nA,1\r\nC,ü\r\n')
})

test('the bad rows have the header of the file', async () => {
  expect(await badRows(file, csv).text()).toBe('number,name\r\n\r\nB,"x\ny"\r\nD')
})
