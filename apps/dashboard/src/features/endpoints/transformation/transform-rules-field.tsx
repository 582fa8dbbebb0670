import { Button } from '@mantine/core'
import { IconAlignLeft, IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import { partOf } from '../../../lib/forms/form-part.ts'
import { CodeArea } from '../code-area.tsx'
import type { EndpointFormState } from '../endpoint-form-values.ts'
import { RuleRows } from '../run-settings/rule-rows.tsx'
import { TransformPart } from './transform-part.tsx'

interface TransformRulesFieldProps {
  form: EndpointFormState
  field: 'request_rules' | 'answer_rules'
  label: string
  hint: string
}

/** Rules as rows, or as the text that is stored. */
export function TransformRulesField({ form, field, label, hint }: TransformRulesFieldProps) {
  const part = partOf(form, 'transformation')
  const [isText, setIsText] = useState(false)
  const Icon = isText ? IconTable : IconAlignLeft
  return (
    <TransformPart
      field={`transformation.${field}`}
      label={label}
      hint={hint}
      action={
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Icon size={14} aria-hidden />}
          onClick={() => setIsText(!isText)}
        >
          {isText ? 'Show rows' : 'Show text'}
        </Button>
      }
    >
      {isText ? (
        <CodeArea
          form={form}
          field={`transformation.${field}`}
          label={label}
          hint={field === 'request_rules' ? requestHint : answerHint}
          isLabelHidden
        />
      ) : (
        <RuleRows
          text={part.values[field]}
          onChange={(text) => part.set(field, text)}
          isForAnswers={field === 'answer_rules'}
          problem={part.errorOf(field)}
        />
      )}
    </TransformPart>
  )
}

const answerHint =
  'One a line: set header X-Kind: {{status}}, remove header X-Old, rename header X-Old: X-New.'

const requestHint =
  'One a line: set header X-Kind: {{query.kind}}, remove header X-Old, rename header X-Old: X-New, ' +
  'set query page: 1, remove query debug, path /v2/orders/{{params.id}}.'
