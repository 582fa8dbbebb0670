import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { inRoot } from '../../lib/places.mjs'
import { deployFile, manifests, objects, yamlFiles, type Parsed } from './deploy-files.mjs'

/** The version of the API that each kind has, and what it can't be without. */
const kinds: Record<string, { apiVersion: string; needs: string[] }> = {
  Namespace: { apiVersion: 'v1', needs: [] },
  ConfigMap: { apiVersion: 'v1', needs: ['data'] },
  Secret: { apiVersion: 'v1', needs: ['type', 'stringData'] },
  Service: { apiVersion: 'v1', needs: ['spec.selector', 'spec.ports'] },
  PersistentVolumeClaim: { apiVersion: 'v1', needs: ['spec.accessModes', 'spec.resources'] },
  Deployment: { apiVersion: 'apps/v1', needs: ['spec.selector', 'spec.template.spec.containers'] },
  StatefulSet: { apiVersion: 'apps/v1', needs: ['spec.serviceName', 'spec.selector'] },
  PodDisruptionBudget: { apiVersion: 'policy/v1', needs: ['spec.selector'] },
  HorizontalPodAutoscaler: {
    apiVersion: 'autoscaling/v2',
    needs: ['spec.scaleTargetRef', 'spec.maxReplicas', 'spec.metrics'],
  },
}

const workloads = [...objects('Deployment'), ...objects('StatefulSet')]
const podOf = (workload: Parsed) => workload.spec.template.spec
const containerOf = (workload: Parsed) => podOf(workload).containers[0]
const portNames = (workload: Parsed) => containerOf(workload).ports.map(({ name }: Parsed) => name)

/** The workload whose pods a selector chooses. */
const chosenBy = (labels: object) =>
  workloads.filter((each) =>
    Object.entries(labels).every(
      ([name, value]) => each.spec.template.metadata.labels[name] === value,
    ),
  )

describe('the manifests', () => {
  it('are of known kinds, with what each needs', () => {
    expect(manifests().length).toBeGreaterThan(10)
    for (const each of manifests()) {
      const kind = kinds[each.kind]
      expect(each.apiVersion, each.kind).toBe(kind?.apiVersion)
      expect(each.metadata.name).toMatch(/^[a-z]([a-z0-9-]*[a-z0-9])?$/)
      for (const path of kind?.needs ?? []) expect(each, each.kind).toHaveProperty(path)
    }
  })

  it('are all in the kustomization, except for the sample of the secrets', () => {
    const { resources } = parse(deployFile('kubernetes/kustomization.yaml')) as {
      resources: string[]
    }
    const files = yamlFiles
      .filter((file) => /^kubernetes\/(?!kustomization|secrets\.example)/.test(file))
      .map((file) => file.slice('kubernetes/'.length))
    expect(resources.toSorted()).toEqual(files)
  })

  it('choose pods that exist: workloads, services, budgets and the autoscaler', () => {
    for (const each of workloads) expect(chosenBy(each.spec.selector.matchLabels)).toEqual([each])
    for (const { spec } of objects('PodDisruptionBudget'))
      expect(chosenBy(spec.selector.matchLabels).length).toBe(1)
    for (const { spec } of objects('Service')) {
      const [workload] = chosenBy(spec.selector)
      for (const { targetPort } of spec.ports) expect(portNames(workload)).toContain(targetPort)
    }
    for (const { spec } of objects('StatefulSet'))
      expect(objects('Service', spec.serviceName)[0].spec.clusterIP).toBe('None')
    const [scaler] = objects('HorizontalPodAutoscaler')
    const { kind, name } = scaler.spec.scaleTargetRef
    expect(objects(kind, name).length).toBe(1)
    expect(objects(kind, name)[0].spec.replicas).toBeUndefined()
  })

  it('scale by a metric that the server has', () => {
    const metric = objects('HorizontalPodAutoscaler')[0].spec.metrics[0].pods.metric.name as string
    const source = readFileSync(
      inRoot('apps/server/src/features/gateway/metrics-routes.ts'),
      'utf8',
    )
    expect(source).toContain(`'${metric}'`)
  })

  it('ask /healthz whether to restart a server, and /readyz whether to send it requests', () => {
    for (const workload of workloads) {
      const { startupProbe, livenessProbe, readinessProbe } = containerOf(workload)
      expect(startupProbe.httpGet.path).toBe('/healthz')
      expect(livenessProbe.httpGet.path).toBe('/healthz')
      expect(readinessProbe.httpGet.path).toBe('/readyz')
      for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe])
        expect(portNames(workload)).toContain(httpGet.port)
    }
  })

  it('mount what they declare, and name secrets, keys and settings that are there', () => {
    for (const workload of workloads) {
      const { volumes } = podOf(workload)
      const { volumeMounts, env, envFrom } = containerOf(workload)
      const declared = [...volumes, ...(workload.spec.volumeClaimTemplates ?? [])].map(
        ({ name, metadata }: Parsed) => name ?? metadata.name,
      )
      expect(volumeMounts.map(({ name }: Parsed) => name).toSorted()).toEqual(declared.toSorted())
      for (const { configMapRef } of envFrom)
        expect(objects('ConfigMap', configMapRef.name).length).toBe(1)
      const { secretName } = volumes.find(({ name }: Parsed) => name === 'secrets').secret
      const keys = Object.keys(objects('Secret', secretName)[0].stringData)
      const files = env.flatMap(({ value }: Parsed) =>
        String(value).startsWith('/run/secrets/gatehouse/') ? value.split('/').pop() : [],
      )
      expect(files.toSorted()).toEqual(keys.toSorted())
    }
  })

  it('keep to what Kubernetes calls a restricted pod, with a file system that is read only', () => {
    for (const workload of workloads) {
      expect(podOf(workload)).toMatchObject({
        automountServiceAccountToken: false,
        shareProcessNamespace: true,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      })
      expect(containerOf(workload).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(containerOf(workload).resources.limits.memory).toBeDefined()
      const { preStop } = containerOf(workload).lifecycle
      const drainSeconds = 30
      expect(podOf(workload).terminationGracePeriodSeconds).toBeGreaterThan(
        drainSeconds + preStop.sleep.seconds,
      )
    }
  })
})
