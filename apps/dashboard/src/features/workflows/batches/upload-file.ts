import { batchMaxBytes } from '@gatehouse/contract/batch-limits'
import type { BatchType } from '@gatehouse/contract'
import { formatBytes } from '../../../lib/format/format-bytes.ts'

const typesByEnding: Readonly<Record<string, BatchType>> = {
  csv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  ndjson: 'application/x-ndjson',
}

/** For the file dialog of the browser. */
export const acceptedEndings = Object.keys(typesByEnding)
  .map((ending) => `.${ending}`)
  .join(',')

const endingOf = (name: string) => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** The media type of an upload, by the end of its name; undefined for others. */
export const typeOfFile = ({ name }: Pick<File, 'name'>): BatchType | undefined =>
  Object.hasOwn(typesByEnding, endingOf(name)) ? typesByEnding[endingOf(name)] : undefined

/** Why a file can't be sent, as far as its name and size say it. */
export function fileProblem(file: Pick<File, 'name' | 'size'>): string | undefined {
  if (!typeOfFile(file)) return 'The name of the file must end in .csv, .json, .jsonl or .ndjson.'
  if (file.size === 0) return 'The file is empty.'
  if (file.size > batchMaxBytes)
    return `The file has ${formatBytes(file.size, 'decimal')}. At most 200 MB can be sent at once.`
  return undefined
}

/** True where the file was changed or removed after it was chosen: browsers refuse to read it then. */
export async function isUnreadable(file: Blob): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => false,
      () => true,
    )
}
