/** An answer of bytes that a tool has left to be fetched. */
export interface KeptAnswer {
  /** Who may fetch it: see `agentKey`. */
  owner: string
  mimeType: string
  /** In base64. */
  data: string
}

/** A tool has left an answer to be fetched, by whichever worker is asked for it. */
export interface AnswerKeptMessage {
  type: 'answer-kept'
  id: string
  answer: KeptAnswer
}

export interface AnswerWantedMessage {
  type: 'answer-wanted'
  id: string
  owner: string
}

export interface AnswerFoundMessage {
  type: 'answer-found'
  id: string
  owner: string
  /** Null: it is of another caller, or there no more. */
  answer: KeptAnswer | null
}
