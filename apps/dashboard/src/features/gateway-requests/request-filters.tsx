import { NumberInput, Pill, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiSelect } from '../../entities/api/api-select.tsx'
import { useCan } from '../../lib/session/session.tsx'
import type { AddressFilter } from '../../lib/page/use-address-filter.ts'
import { ClearFilters } from '../../ui/filters/filter-selects.tsx'
import { LateSelect } from '../../ui/filters/late-select.tsx'
import { SearchBox } from '../../ui/table/search-box.tsx'
import {
  fromLocalField,
  isFiltered,
  isStatus,
  methodChoices,
  outcomeChoices,
  toLocalField,
  type RequestFilter,
  type RequestFilterName,
} from './request-filter.ts'
import classes from './request-page.module.css'
import { EndpointNameSelect, UserSelect } from './name-selects.tsx'

interface FiltersProps extends AddressFilter<RequestFilter, RequestFilterName> {
  /** What the token of the filter is called; undefined: not known yet, or the user may not see it. */
  tokenName?: string | undefined
  /** Those that run alone, beside the server that answers. */
  gateways: readonly { id: string; name: string }[]
}

/** Narrows requests down by time, API, endpoint, outcome, method, client, token, path and time taken. */
export function RequestFilters(props: FiltersProps) {
  const { filter, setFilter, clear } = props
  const can = useCan()
  return (
    <search className={classes['filters']} aria-label="Filters">
      <div className={classes['search']}>
        <SearchBox
          label="Path or request id"
          value={filter.search}
          onChange={(search) => setFilter({ search })}
        />
      </div>
      {(props.gateways.length > 0 || filter.server !== '') && (
        <LateSelect
          label="Gateway"
          placeholder="Of this server"
          data={gatewayChoices(props.gateways, filter.server)}
          value={filter.server === '' ? null : filter.server}
          clearable
          clearButtonProps={{ 'aria-label': 'The gateway of this server' }}
          onChange={(server) => setFilter({ server })}
        />
      )}
      <TimeField name="from" label="From" {...props} />
      <TimeField name="to" label="To" {...props} />
      <StatusSelect {...props} />
      <LateSelect
        label="Method"
        placeholder="Any"
        data={[...methodChoices]}
        value={filter.method === '' ? null : filter.method}
        clearable
        clearButtonProps={{ 'aria-label': 'Any method' }}
        onChange={(method) => setFilter({ method })}
      />
      {can('api.view') && (
        <ApiSelect
          label="API"
          placeholder="Any"
          value={filter.api}
          clearable
          clearButtonProps={{ 'aria-label': 'Any API' }}
          onChange={(api) => setFilter({ api })}
        />
      )}
      {can('endpoint.view') && (
        <EndpointNameSelect
          label="Endpoint"
          placeholder="Any"
          value={filter.endpoint}
          clearable
          clearButtonProps={{ 'aria-label': 'Any endpoint' }}
          onChange={(endpoint) => setFilter({ endpoint })}
        />
      )}
      {can('user.view') && (
        <UserSelect
          label="Client"
          placeholder="Any"
          value={filter.client}
          clearable
          clearButtonProps={{ 'aria-label': 'Any client' }}
          onChange={(client) => setFilter({ client })}
        />
      )}
      <NumberInput
        label="Slower than"
        placeholder="ms"
        min={0}
        max={3_600_000}
        allowDecimal={false}
        hideControls
        value={filter.slower}
        onChange={(ms) => setFilter({ slower: String(ms) })}
      />
      <div className={classes['chosen']}>
        {filter.token !== '' && (
          <Pill
            size="lg"
            withRemoveButton
            onRemove={() => setFilter({ token: null })}
            removeButtonProps={{ 'aria-label': 'Any token', 'aria-hidden': false }}
          >
            {props.tokenName === undefined ? `Token #${filter.token}` : `Token ${props.tokenName}`}
          </Pill>
        )}
        {isFiltered(filter) && <ClearFilters onClear={clear} />}
      </div>
    </search>
  )
}

/** The one that was chosen stays in the list when it is gone. */
function gatewayChoices(gateways: FiltersProps['gateways'], chosen: string) {
  const isTwice = (name: string) => gateways.filter((each) => each.name === name).length > 1
  const known = gateways.map(({ id, name }) => ({
    value: id,
    // Several on one host: Nodes shows their ids too.
    label: isTwice(name) ? `${name} (${id.slice(0, 8)})` : name,
  }))
  const isKnown = chosen === '' || gateways.some(({ id }) => id === chosen)
  return isKnown ? known : [...known, { value: chosen, label: chosen }]
}

function TimeField(props: FiltersProps & { name: 'from' | 'to'; label: string }) {
  const { name, label, filter, setFilter } = props
  return (
    <TextInput
      type="datetime-local"
      step={1}
      label={label}
      value={toLocalField(filter[name])}
      onChange={(event) => setFilter({ [name]: fromLocalField(event.currentTarget.value) })}
    />
  )
}

/** An outcome is chosen, a status may be typed. */
function StatusSelect({ filter, setFilter }: FiltersProps) {
  const [typed, setTyped] = useState('')
  const codes = [...new Set([filter.status, typed])].filter((text) => isStatus(text))
  return (
    <LateSelect
      label="Status"
      placeholder="Any, or a code"
      data={[...outcomeChoices, ...codes.map((code) => ({ value: code, label: code }))]}
      value={filter.status === '' ? null : filter.status}
      searchable
      onSearchChange={setTyped}
      clearable
      clearButtonProps={{ 'aria-label': 'Any status' }}
      nothingFoundMessage="A status has three digits"
      onChange={(status) => setFilter({ status })}
    />
  )
}
