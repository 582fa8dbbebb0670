import type { DeliveryKind, DeliveryState } from '@gatehouse/contract'
import { toChoices } from '../../lib/format/to-choices.ts'
import type { AddressFilter } from '../../lib/page/use-address-filter.ts'
import { FilterSelects, termsOf } from '../../ui/filters/filter-selects.tsx'
import { deliveryKindWords, deliveryStateWords } from './delivery-words.tsx'

export const deliveryFilterNames = ['state', 'kind', 'workflow', 'run'] as const

interface DeliveryFilter {
  state?: DeliveryState
  kind?: DeliveryKind
  workflow?: number
  run?: number
}

const states = Object.keys(deliveryStateWords) as DeliveryState[]
const kinds = Object.keys(deliveryKindWords) as DeliveryKind[]
const idIn = (text: string | null) => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : undefined)

/** Ignores anything in the address that the list can't be filtered by. */
export function readDeliveryFilter(address: URLSearchParams): DeliveryFilter {
  const state = states.find((known) => known === address.get('state'))
  const kind = kinds.find((known) => known === address.get('kind'))
  const workflow = idIn(address.get('workflow'))
  const run = idIn(address.get('run'))
  return {
    ...(state && { state }),
    ...(kind && { kind }),
    ...(workflow && { workflow }),
    ...(run && { run }),
  }
}

const selects = [
  { name: 'state', label: 'State', all: 'Any state', data: toChoices(deliveryStateWords) },
  { name: 'kind', label: 'Kind', all: 'Any kind', data: toChoices(deliveryKindWords) },
] as const

/** What the search understands. */
export const deliveryTerms = termsOf(selects)

type DeliveryFiltersProps = Pick<
  AddressFilter<DeliveryFilter, (typeof deliveryFilterNames)[number]>,
  'filter' | 'setFilter'
>

export function DeliveryFilters({ filter, setFilter }: DeliveryFiltersProps) {
  return (
    <FilterSelects
      selects={selects}
      filter={filter}
      onChange={(name, value) => setFilter({ [name]: value })}
      width={180}
    />
  )
}
