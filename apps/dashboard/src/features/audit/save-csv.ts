/** Marks the text as UTF-8 for spreadsheets, which would else take it for their own code page. */
const byteOrderMark = '\uFEFF'

/** Hands a CSV text to the browser as a download. */
export function saveCsv(filename: string, csv: string): void {
  const url = URL.createObjectURL(
    new Blob([byteOrderMark, csv], { type: 'text/csv;charset=utf-8' }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  URL.revokeObjectURL(url)
}
