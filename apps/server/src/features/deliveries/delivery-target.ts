/** A secret, by who keeps it. Deliveries store no secrets. */
export interface SecretRef {
  of: 'workflow' | 'alarm'
  id: number
}

interface WebhookTarget {
  url: string
  secret: SecretRef
}

interface MailTarget {
  to: string[]
  /** The mail server, and the channel of alarms that knows how to sign in there. */
  host: string
  channel: number
}

export type DeliveryTarget = WebhookTarget | MailTarget

/** Who receives it: deliveries to one place share a bound of tries at once. */
export function placeOf(target: DeliveryTarget): string {
  return 'url' in target ? (URL.parse(target.url)?.host ?? target.url) : target.host
}

/** For screens. */
export const shownTarget = (target: DeliveryTarget): string =>
  'url' in target ? target.url : target.to.join(', ')

export const parseTarget = (stored: string) => JSON.parse(stored) as DeliveryTarget
