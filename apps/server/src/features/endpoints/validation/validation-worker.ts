import { compileCheck } from '@gatehouse/contract/json-schema'
import { answerQuestions } from '../../../kernel/threads/answer-questions.ts'

/** The thread that compiles schemas as the gateway will: one may be made to take long. */

export interface SchemaToCheck {
  schema: string
  isText: boolean
}

/** Why it can't be used; undefined where it can. */
export type SchemaVerdict = string | undefined

answerQuestions(({ schema, isText }: SchemaToCheck): SchemaVerdict => {
  try {
    compileCheck(JSON.parse(schema) as object, { isText })
    return undefined
  } catch (error) {
    return `This schema can't be used: ${(error as Error).message.slice(0, 500)}`
  }
})
