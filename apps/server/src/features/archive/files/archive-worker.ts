import { mkdirSync } from 'node:fs'
import { answerQuestions } from '../../../kernel/threads/answer-questions.ts'
import { isStoreFull } from '../../../db/outages/store-refusal.ts'
import type { FileQuestion, FileReply, FileWork } from './archive-threads.ts'
import { checkFile, FileChanged, listLines, readOneLine, searchBlocks } from './file-reader.ts'
import { FileWriter } from './file-writer.ts'

// The thread that reads and writes files of the archive: hashing and compressing hold up no call.

let writer: FileWriter | undefined

const works: { [Name in keyof FileWork]: (ask: FileWork[Name]['asks']) => unknown } = {
  begin: ({ folder, name }) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writer = new FileWriter({ folder, name })
  },
  append: ({ runs }) => opened().append(runs),
  finish: (ending) => {
    const written = opened().finish(ending)
    writer = undefined
    return written
  },
  abandon: () => {
    writer?.abandon()
    writer = undefined
  },
  check: ({ file }) => checkFile(file),
  lines: ({ file, from, count }) => listLines(file, from, count),
  read: ({ file, place }) => readOneLine(file, place),
  search: ({ file, text, from, count }) => searchBlocks(file, text, from, count),
}

function opened(): FileWriter {
  if (!writer) throw new Error('No file of the archive is open.')
  return writer
}

answerQuestions(async ({ work, ...asked }: FileQuestion): Promise<FileReply> => {
  try {
    return { ok: true, value: await works[work](asked as never) }
  } catch (error) {
    return { ok: false, ...reasonOf(error) }
  }
})

function reasonOf(error: unknown) {
  const { code, message } = error as NodeJS.ErrnoException
  if (isStoreFull(error)) return { reason: 'disk_full', message } as const
  if (code === 'ENOENT') return { reason: 'missing', message } as const
  return { reason: error instanceof FileChanged ? 'changed' : 'failed', message } as const
}
