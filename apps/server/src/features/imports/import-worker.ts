import { answerQuestions } from '../../kernel/threads/answer-questions.ts'
import { readLocated, type DocumentNote } from '../../kernel/located-document.ts'
import { UnfitDocument, type ImportedDocument } from './imported-document.ts'
import { isCurl, readCurl } from './curl/read-curl.ts'
import { readOpenApi } from './read-openapi.ts'
import { isPostman, readPostman } from './read-postman.ts'
import { isAddress, readAddress } from './read-request.ts'

/** The thread that reads documents of others, which may be made to take long. */

export type ImportAnswer =
  | { ok: true; document: ImportedDocument }
  | { ok: false; problems: DocumentNote[] }

/** Reads a document, a curl command or an address whole, or says where it can't be read. */
export function readImport(text: string): ImportAnswer {
  try {
    if (isCurl(text)) return { ok: true, document: readCurl(text) }
    if (isAddress(text)) return { ok: true, document: readAddress(text) }
    const read = readLocated(text)
    if (!read.ok) return read
    const reads = isPostman(read.document) ? readPostman : readOpenApi
    return { ok: true, document: reads(read.document) }
  } catch (error) {
    if (error instanceof UnfitDocument) return { ok: false, problems: error.problems }
    throw error
  }
}

answerQuestions(readImport)
