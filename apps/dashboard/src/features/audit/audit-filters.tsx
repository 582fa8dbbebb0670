import { Button } from '@mantine/core'
import { useState } from 'react'
import type { AuditThing } from '@gatehouse/contract'
import { auditThings } from '@gatehouse/contract/audit-names'
import type { AddressFilter } from '../../lib/use-address-filter.ts'
import { DayRange } from '../../ui/day-range.tsx'
import { LateSelect } from '../../ui/late-select.tsx'
import { LinkedFilter } from '../../ui/linked-filter.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { outcomeWords, wordsOfAction, wordsOfThing } from './audit-words.ts'
import {
  auditOutcomes,
  isFiltered,
  type AuditFilter,
  type auditFilterNames,
} from './audit-filter.ts'

const width = { base: 'calc(50% - var(--mantine-spacing-sm) / 2)', xs: 150 }

interface AuditFiltersProps extends AddressFilter<AuditFilter, (typeof auditFilterNames)[number]> {
  /** The kinds of things that the list may have; all unless given. */
  things?: readonly AuditThing[]
}

/** Filters by actor, action, thing, outcome and day. */
export function AuditFilters(props: AuditFiltersProps) {
  const { filter, setFilter, clear, things = auditThings } = props
  return (
    <>
      <SearchBox
        label="Actor"
        value={filter.actor}
        onChange={(actor) => setFilter({ actor })}
        isSmall
      />
      <ActionSelect value={filter.action} onChange={(action) => setFilter({ action })} />
      <LateSelect
        aria-label="Thing"
        placeholder="Any thing"
        data={things.map((value) => ({ value, label: wordsOfThing(value) }))}
        value={filter.thing ?? null}
        clearable
        clearButtonProps={{ 'aria-label': 'Any thing' }}
        onChange={(thing) => setFilter({ thing, thing_id: null })}
        w={width}
      />
      <LateSelect
        aria-label="Outcome"
        placeholder="Any outcome"
        data={auditOutcomes.map((value) => ({ value, label: outcomeWords[value] }))}
        value={filter.outcome ?? null}
        clearable
        clearButtonProps={{ 'aria-label': 'Any outcome' }}
        onChange={(outcome) => setFilter({ outcome })}
        w={width}
      />
      <DayRange from={filter.from} to={filter.to} onChange={setFilter} />
      {filter.thingId !== undefined && (
        <LinkedFilter
          removeLabel="Show all things"
          onRemove={() => setFilter({ thing: null, thing_id: null })}
        >
          {filter.thing && wordsOfThing(filter.thing)} #{filter.thingId}
        </LinkedFilter>
      )}
      {isFiltered(filter) && (
        <Button variant="subtle" size="compact-sm" onClick={clear}>
          Clear filters
        </Button>
      )}
    </>
  )
}

interface ActionSelectProps {
  /** A link may hold a part of an action. */
  value: string
  onChange: (action: string | null) => void
}

/** Chooses an action by its words. The actions there are come when the field is opened. */
function ActionSelect({ value, onChange }: ActionSelectProps) {
  const [choices, setChoices] = useState<{ value: string; label: string }[]>([])
  const isChosen = value !== '' && !choices.some((choice) => choice.value === value)
  const chosen = { value, label: /\.\w/.test(value) ? wordsOfAction(value) : value }
  return (
    <LateSelect
      aria-label="Action"
      placeholder="Any action"
      data={isChosen ? [chosen, ...choices] : choices}
      value={value === '' ? null : value}
      searchable
      nothingFoundMessage="No such action"
      clearable
      clearButtonProps={{ 'aria-label': 'Any action' }}
      onDropdownOpen={() => {
        void import('./action-choices.ts').then(({ actionChoices }) => setChoices(actionChoices))
      }}
      onChange={onChange}
      w={{ ...width, xs: 200 }}
    />
  )
}
