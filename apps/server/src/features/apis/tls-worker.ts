import type { StoredTls } from '@gatehouse/contract/credential'
import { checkTls } from '@gatehouse/upstream/tls-material'
import { answerQuestions } from '../../kernel/threads/answer-questions.ts'

export interface TlsQuestion {
  tls: StoredTls
  now: Date
}

answerQuestions(({ tls, now }: TlsQuestion) => checkTls(tls, now))
