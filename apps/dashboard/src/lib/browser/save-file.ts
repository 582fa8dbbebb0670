/** Hands a file to the browser as a download. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** Marks the text as UTF-8 for spreadsheets, which would else take it for their own code page. */
const byteOrderMark = '\uFEFF'

/** Hands a CSV text to the browser as a download that spreadsheets read as UTF-8. */
export function saveCsv(name: string, csv: string | Blob): void {
  saveFile(name, new Blob([byteOrderMark, csv], { type: 'text/csv;charset=utf-8' }))
}
