import { Stack, Switch, Text, TextInput } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import type { ApiFormState } from '../form/api-form-values.ts'
import classes from './policy-part.module.css'
import type { PolicySwitches } from './traffic-policy-values.ts'

interface PolicyPartProps {
  form: ApiFormState
  name: keyof PolicySwitches
  label: string
  /** What it does; shown whether it is on or off. */
  help: string
  /** Fields that only count while it is on. */
  children: ReactNode
}

/** One part of the traffic policy: a switch, and its fields once it is on. */
export function PolicyPart({ form, name, label, help, children }: PolicyPartProps) {
  const helpId = useId()
  const field = `traffic_policy_on.${name}`
  const isOn = form.values.traffic_policy_on[name]
  return (
    <div className={classes['part']}>
      <Switch
        label={label}
        checked={isOn}
        onChange={(event) => form.setFieldValue(field, event.currentTarget.checked)}
        aria-describedby={helpId}
        classNames={{ label: classes['label'] ?? '' }}
      />
      <Text id={helpId} size="sm" c="dimmed" mt={2} className={classes['inset'] ?? ''}>
        {help}
      </Text>
      {isOn && (
        <Stack gap="sm" mt="sm" className={classes['inset'] ?? ''}>
          {children}
        </Stack>
      )}
    </div>
  )
}

interface PolicyFieldProps {
  form: ApiFormState
  /** Below `traffic_policy`. */
  field: string
  label: string
  /** Shown in the field, behind the number. */
  unit?: string
  description?: string
  isText?: boolean
}

/** A number, or a short text, of the traffic policy with its unit. */
export function PolicyField(props: PolicyFieldProps) {
  const { form, field, label, unit, description, isText = false } = props
  return (
    <TextInput
      label={unit === undefined ? label : `${label} (${unit})`}
      description={description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      inputMode={isText ? 'text' : 'numeric'}
      {...form.getInputProps(`traffic_policy.${field}`)}
    />
  )
}
