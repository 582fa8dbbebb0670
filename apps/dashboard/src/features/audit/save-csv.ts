import { saveFile } from '../../lib/save-file.ts'

/** Marks the text as UTF-8 for spreadsheets, which would else take it for their own code page. */
const byteOrderMark = '\uFEFF'

/** Hands a CSV text to the browser as a download. */
export function saveCsv(filename: string, csv: string): void {
  saveFile(filename, new Blob([byteOrderMark, csv], { type: 'text/csv;charset=utf-8' }))
}
