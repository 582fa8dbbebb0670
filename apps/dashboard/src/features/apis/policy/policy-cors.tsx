import { Checkbox } from '@mantine/core'
import { WordsInput } from '../../../ui/form/words-input.tsx'
import type { ApiFormState } from '../form/api-form-values.ts'
import { PolicyField, PolicyPart } from './policy-part.tsx'
import classes from './policy-part.module.css'

/** Which web pages of other origins may call this API from a browser. */
export function PolicyCors({ form }: { form: ApiFormState }) {
  return (
    <PolicyPart
      form={form}
      name="cors"
      label="CORS"
      help="Lets web pages of other origins call this API from a browser."
    >
      <Tags
        form={form}
        field="origins"
        label="Origins"
        description="Like https://pos.example.com, or * for any."
      />
      <Tags
        form={form}
        field="headers"
        label="Allowed headers"
        description="That pages may send along."
      />
      <Tags
        form={form}
        field="exposed_headers"
        label="Exposed headers"
        description="Of the answer, that pages may read."
      />
      <Checkbox
        label="Pages may send cookies and other credentials"
        {...form.getInputProps('traffic_policy.cors.allow_credentials', { type: 'checkbox' })}
      />
      <PolicyField
        form={form}
        field="cors.max_age_seconds"
        label="Browsers keep the permission for"
        unit="seconds"
      />
    </PolicyPart>
  )
}

interface TagsProps {
  form: ApiFormState
  field: 'origins' | 'headers' | 'exposed_headers'
  label: string
  description: string
}

function Tags({ form, field, label, description }: TagsProps) {
  return (
    <WordsInput
      label={label}
      description={`${description} Enter adds one.`}
      splitChars={[',', ' ', '\n', '\t']}
      classNames={{ input: classes['tags'] ?? '' }}
      {...form.getInputProps(`traffic_policy.cors.${field}`)}
    />
  )
}
