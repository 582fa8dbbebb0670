import { Badge } from '@mantine/core'
import { useState } from 'react'
import { MethodBadge } from '../../entities/endpoint/method-badge.tsx'
import { BareCheckbox } from '../../ui/form/bare-checkbox.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { ShowAll } from '../../ui/table/show-all.tsx'
import { Callers } from './import-callers.tsx'
import { outcomesAt, type ApiChoice, type Outcome } from './import-choice.ts'
import type { PreviewApi } from './import-queries.ts'
import { ImportTarget, type ImportTargetProps } from './import-target.tsx'
import classes from './imports.module.css'

/** One server of a document: the API that it becomes, and its operations. */
export function ImportApiCard(props: ImportTargetProps) {
  const { api, choice, onChange } = props
  return (
    <FormCard title={api.key} description={api.description === '' ? undefined : api.description}>
      <BareCheckbox
        label="Import this API"
        isChecked={choice.isChosen}
        onToggle={() => onChange({ ...choice, isChosen: !choice.isChosen })}
      />
      {choice.isChosen && (
        <>
          <ImportTarget {...props} />
          <Operations api={api} choice={choice} onChange={onChange} />
        </>
      )}
    </FormCard>
  )
}

interface OperationsProps {
  api: PreviewApi
  choice: ApiChoice
  onChange: (next: ApiChoice) => void
}

const shownAtFirst = 200

function Operations({ api, choice, onChange }: OperationsProps) {
  const [isWhole, setIsWhole] = useState(false)
  const all = api.operations
  const shown = isWhole ? all : all.slice(0, shownAtFirst)
  const outcomes = outcomesAt(api, choice.target)
  const set = (operations: ReadonlySet<string>) => onChange({ ...choice, operations })

  function toggle(key: string) {
    const next = new Set(choice.operations)
    if (!next.delete(key)) next.add(key)
    set(next)
  }
  const isAll = choice.operations.size === all.length
  return (
    <>
      <div>
        <BareCheckbox
          label={<b>{`All ${all.length.toLocaleString('en')} operations`}</b>}
          isChecked={isAll}
          isPartly={!isAll && choice.operations.size > 0}
          onToggle={() => set(new Set(isAll ? [] : all.map(({ key }) => key)))}
        />
      </div>
      <ul className={classes['operations']} aria-label={`Operations of ${api.key}`}>
        {shown.map((operation) => (
          <li key={operation.key}>
            <BareCheckbox
              label={<Operation operation={operation} />}
              isChecked={choice.operations.has(operation.key)}
              onToggle={() => toggle(operation.key)}
            />
            <OutcomeBadges outcome={outcomes.get(operation.key)} />
          </li>
        ))}
      </ul>
      <ShowAll
        count={all.length}
        shown={shown.length}
        noun="operations"
        onShow={() => setIsWhole(true)}
      />
    </>
  )
}

function Operation({ operation }: { operation: PreviewApi['operations'][number] }) {
  const { method_type, path, summery, parameters } = operation
  const count = parameters.length
  return (
    <span className={classes['operation']}>
      <span className={classes['route']}>
        <MethodBadge method={method_type} />
        <bdi dir="ltr">{path}</bdi>
      </span>
      <span className={classes['about']}>
        {summery}
        {count > 0 && `, ${count} ${count === 1 ? 'parameter' : 'parameters'}`}
      </span>
    </span>
  )
}

function OutcomeBadges({ outcome }: { outcome: Outcome | undefined }) {
  if (!outcome) return null
  return (
    <span className={classes['outcome']}>
      <ActionBadge outcome={outcome} />
      <Callers of={outcome} />
    </span>
  )
}

const fieldWords: Record<string, string> = { summery: 'summary' }

function ActionBadge({ outcome: { action, changes } }: { outcome: Outcome }) {
  if (action === 'create') return <Badge color="green">new</Badge>
  if (action === 'left') return <Badge color="gray">there already</Badge>
  const words = changes.map((field) => fieldWords[field] ?? field).join(', ')
  return <Badge color="orange">{`changes ${words}`}</Badge>
}
