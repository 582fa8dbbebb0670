/** A secret, by who keeps it. Deliveries store no secrets. */
export interface SecretRef {
  of: 'workflow' | 'alarm'
  id: number
}

export interface WebhookTarget {
  url: string
  secret: SecretRef
}

export interface MailTarget {
  to: string[]
}

export type DeliveryTarget = WebhookTarget | MailTarget

/** The place of all e-mails: one mail server takes them. */
export const mailPlace = 'e-mail'

/** Who receives it: deliveries to one place share a bound of tries at once. */
export function placeOf(target: DeliveryTarget): string {
  return 'url' in target ? (URL.parse(target.url)?.host ?? target.url) : mailPlace
}

/** For screens. */
export const shownTarget = (target: DeliveryTarget): string =>
  'url' in target ? target.url : target.to.join(', ')

export const parseTarget = (stored: string) => JSON.parse(stored) as DeliveryTarget
