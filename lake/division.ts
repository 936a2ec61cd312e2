/**
 * Which models can be run in parts, and in which order: the one list of models, divided by terminal and by card. What is
 * not named here is run whole. A part runs by itself whatever whole models it needs, for those are small.
 */
import type { Model } from './models.ts'

export type Share = 'card' | 'terminal'

/** A model of these asks only for rows of its own terminal, or of its own card; `stage/name` each. */
const SHARES: Record<Share, RegExp> = {
  terminal:
    /^(10_again\/repeated_transaction$|10_changed\/|10_current\/(current_settlement|current_transaction|flip|settlement_version)$|1[1245]_|19_settled\/|2\d_|3[01]_|32_end\/|33_span\/|34_|40_findings\/(ach_code_not_accepted|amount_over_limit|settled_not_(approved|captured)|surcharge_(not_enabled|over_rate)|terminal_type_mismatch|total_mismatch|verify_nonzero)$)/,
  card: /^(18_risk|19_coarse|39_ceiling|40_findings\/duplicate_charge$)/,
}

/** What a type is made of that others use without reading a table: every task has it. */
const EVERYWHERE = /^10_again\/word$/

const SHARE_NAMES = ['terminal', 'card'] as const

/** How a model is divided; undefined: not at all. */
export const shareOf = ({ stage, name }: Model): Share | undefined =>
  SHARE_NAMES.find((share) => SHARES[share].test(`${stage}/${name}`))

/** One part of one round: the rows of `shard`, of all the models that this round runs by terminal or by card. */
export interface Task {
  share: Share
  shard: number
}

export interface Division {
  models: readonly Model[]
  /** The tasks of each round; a round begins when the one before it is done. */
  rounds: readonly (readonly Task[])[]
  /** Whole models that rest on the lake alone and that tasks need, in order: they are made once, before the first round. */
  basis: readonly Model[]
  /** The models of a task, in order. */
  modelsOf(round: number, share: Share): Model[]
  /** The whole models that a task's models read, directly or by way of others, in order. */
  wholeFor(models: readonly Model[]): Model[]
  /** The round that makes a divided model's table; undefined for a whole one. */
  roundOf(name: string): number | undefined
  /** True for a divided model that another task, a whole model or one of `after` reads. */
  isReadElsewhere(model: Model, after: readonly Model[]): boolean
}

/** Divides the models among so many shards. */
export function divide(models: readonly Model[], shards: number): Division {
  const byName = new Map(models.map((model) => [model.name, model]))
  const rounds = new Map<string, number>()
  const inputsOf = (model: Model): Model[] =>
    readsOf(model).flatMap((name) => byName.get(name) ?? [])
  // Models stand in the order of the pipeline, so that what one reads has its round already.
  const needsAfter = (model: Model): number => {
    const share = shareOf(model)
    const after = inputsOf(model).map((input) =>
      shareOf(input) === share && share !== undefined
        ? (rounds.get(input.name) ?? 0)
        : lastRound(input) + 1,
    )
    return Math.max(0, ...after)
  }
  // The last round that a table rests on; -1 for one that rests on the lake alone.
  const lastRound = (model: Model): number =>
    rounds.get(model.name) ?? Math.max(-1, ...inputsOf(model).map(lastRound))
  for (const model of models) {
    if (shareOf(model) !== undefined) rounds.set(model.name, needsAfter(model))
  }
  const modelsOf = (round: number, share: Share) =>
    models.filter((model) => rounds.get(model.name) === round && shareOf(model) === share)
  const wholeFor = (some: readonly Model[]): Model[] => {
    const needed = new Set<Model>()
    const need = (model: Model) => {
      for (const input of inputsOf(model)) {
        if (shareOf(input) !== undefined || needed.has(input)) continue
        needed.add(input)
        need(input)
      }
    }
    for (const model of some) need(model)
    return models.filter(
      (model) => needed.has(model) || EVERYWHERE.test(`${model.stage}/${model.name}`),
    )
  }
  const divided = models.filter((model) => shareOf(model) !== undefined)
  return {
    models,
    rounds: Array.from({ length: Math.max(...rounds.values()) + 1 }, (_, round) =>
      SHARE_NAMES.filter((share) => modelsOf(round, share).length > 0).flatMap((share) =>
        Array.from({ length: shards }, (_none, shard) => ({ share, shard })),
      ),
    ),
    basis: wholeFor(divided).filter((model) => lastRound(model) < 0),
    modelsOf,
    wholeFor,
    roundOf: (name) => rounds.get(name),
    isReadElsewhere: (model, after) =>
      [...models, ...after].some(
        (reader) =>
          readsOf(reader).includes(model.name) &&
          (shareOf(reader) !== shareOf(model) ||
            rounds.get(reader.name) !== rounds.get(model.name)),
      ),
  }
}

/** The tables that a model's header names. */
export const readsOf = ({ text }: Model): string[] =>
  (/^-- reads +(.*)$/m.exec(text)?.[1] ?? '').split(', ')
