export const kinds = ['zatca', 'eta', 'myinvois'] as const
/** Cleared while the caller waits; one document that is decided later; several that are decided later. */
export type Kind = (typeof kinds)[number]

/** They number their documents alike. */
export const companies = ['north', 'south', 'east'] as const
export type Company = (typeof companies)[number]

/** How the lists of an authority name a document. */
export const listWords = {
  eta: { sent: 'internalID', answered: 'internalId', submission: 'submissionId' },
  myinvois: { sent: 'codeNumber', answered: 'invoiceCodeNumber', submission: 'submissionUid' },
} as const

/** Documents of one submission to MyInvois. */
export const documentsTogether = 5

/** By share of the submissions; the rest are taken. */
export const mischief = {
  /** Stored, and the answer is lost. */
  lost: 0.01,
  'cut before storing': 0.005,
  'failure after storing': 0.003,
  unavailable: 0.005,
  throttled: 0.005,
  refused: 0.005,
  /** ZATCA: clearance is off. */
  off: 0.002,
} as const
export type Mischief = keyof typeof mischief

/** A document that an authority has taken. */
export interface Stored {
  company: Company
  kind: Kind
  reference: string
  number: string
  submission: string
  verdict: 'accepted' | 'rejected'
  decidesAt: number
}

export const keyOf = ({
  company,
  kind,
  reference,
}: Pick<Stored, 'company' | 'kind' | 'reference'>) => `${company}/${kind}/${reference}`
