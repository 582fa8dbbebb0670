import { Badge, Text } from '@mantine/core'
import type { EndpointParameter } from '@gatehouse/contract'
import classes from './parameters-table.module.css'

interface ParametersTableProps {
  parameters: readonly EndpointParameter[]
  /** Names the table for assistive technology. */
  label: string
}

/** What a call of an endpoint may carry. A narrow window shows each parameter as a block. */
export function ParametersTable({ parameters, label }: ParametersTableProps) {
  return (
    <div className={classes['frame']}>
      <table className={classes['table']} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">In</th>
            <th scope="col">Type</th>
            <th scope="col">Description</th>
          </tr>
        </thead>
        <tbody>
          {parameters.map((parameter) => (
            <tr key={`${parameter.in} ${parameter.name}`}>
              <th scope="row">
                <code>{parameter.name}</code>
                {parameter.is_required && (
                  <Badge color="gray" size="sm" ms={6}>
                    required
                  </Badge>
                )}
              </th>
              <td>{parameter.in}</td>
              <td>
                {parameter.type === '' ? (
                  <Text span c="dimmed" inherit>
                    any
                  </Text>
                ) : (
                  parameter.type
                )}
              </td>
              <td className={classes['words']}>{parameter.description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
