// Plays lists of actions with the real BullMQ.
//
// Started with {"path", "username", "password"} of a Valkey. A line on stdin is a workload,
// {"queue", "actions": [{"do": …, …}]}; a line on stdout is what each action of it answered, or
// {"error": …} where BullMQ threw. It ends with its input.

import { createInterface } from 'node:readline'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'

const connection = new Redis({ ...JSON.parse(process.argv[2]), maxRetriesPerRequest: null })

// A job of an action is {"id", "priority", "timestamp", "delay"}, all but the id optional.
const options = ({ id, ...rest }) => ({ jobId: id, ...rest })

const open = (name) => {
  const queue = new Queue(name, { connection })
  const worker = new Worker(name, null, { connection, autorun: false })
  const made = new Map()
  const taken = []
  const does = {
    // BullMQ asks its own process for the time: here it stands still.
    clock: ({ ms }) => {
      Date.now = () => ms
    },
    count: ({ value }) => connection.set(queue.toKey('pc'), value),
    forget: ({ id }) => connection.del(queue.toKey(id)),
    add: async ({ job }) => {
      made.set(job.id, await queue.add('job', {}, options(job)))
      return job.id
    },
    add_many: async ({ jobs }) => {
      const added = jobs.map((job) => ({ name: 'job', data: {}, opts: options(job) }))
      return (await queue.addBulk(added)).length
    },
    change: ({ id, priority, lifo }) => made.get(id).changePriority({ priority, lifo }),
    // What a worker runs that asks for a job: promote what is due, then take one.
    take: async () => {
      const job = await worker.getNextJob(`token ${taken.length}`, { block: false })
      if (job) taken.push(job)
      return job?.id
    },
    // What a worker does with a job that a rate limit holds back; here, the last one taken.
    push_back: async () => {
      const job = taken.pop()
      await job?.moveToWait(job.token)
      return job?.id
    },
    upsert: async ({ scheduler, repeat }) => {
      await queue.upsertJobScheduler(scheduler, repeat)
      return Number(await connection.zscore(queue.toKey('repeat'), scheduler))
    },
  }
  return { does, close: () => Promise.all([worker.close(), queue.close()]) }
}

const play = async ({ queue, actions }) => {
  const { does, close } = open(queue)
  const answers = []
  for (const { do: action, ...facts } of actions) {
    try {
      answers.push((await does[action](facts)) ?? null)
    } catch (fault) {
      answers.push({ error: fault.message })
    }
  }
  await close()
  return answers
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await play(JSON.parse(line))))
}
await connection.quit()
