//! The behaviours, on either server.

use std::sync::Arc;
use std::time::Duration;

use aws::queue::{Depth, MAX_DELAY};
use domain::error::Code;
use local::queues::{MAX_RECEIVES, WorkerLimits};
use tokio::sync::watch;

use super::{Bench, Counter, LIMITS, Log, TIMEOUT, send, task, wait_until, wait_until_idle};

/// The shortest time that a message can be hidden for and come again.
const SHORT: Duration = Duration::from_secs(1);

pub(super) async fn a_task_that_is_sent_is_done_once_and_gone(bench: &Bench) {
    let (queue, sender) = bench.queue(SHORT).await;
    let log = Log::default();
    let inside = log.clone();
    let poller = bench.poll(&queue, move |messages| {
        inside.record(&messages);
        assert!(messages.iter().all(|message| message.task().is_ok() && message.receive_count == 1));
        Vec::new()
    });
    let sent = task();
    send(&sender, &sent).await;
    wait_until_idle(&poller).await;
    assert_eq!((log.len(), log.times(&sent)), (1, 1));
    poller.stop(TIMEOUT).await;
    assert!(
        bench.receive_all(&queue.url).await.is_empty() && bench.receive_all(&queue.dead_letter_url).await.is_empty()
    );
}

pub(super) async fn tasks_come_in_batches_and_none_is_lost(bench: &Bench) {
    let (queue, sender) = bench.queue(TIMEOUT).await;
    let tasks: Vec<_> = (0..45).map(|_| task()).collect();
    futures::future::join_all(tasks.iter().map(|task| send(&sender, task))).await;
    let (log, concurrency) = (Log::default(), Counter::default());
    let (inside, counted) = (log.clone(), concurrency.clone());
    let poller = bench.poll(&queue, move |messages| {
        assert!(messages.len() <= 10);
        counted.add();
        inside.record(&messages);
        Vec::new()
    });
    wait_until_idle(&poller).await;
    assert!(tasks.iter().all(|task| log.times(task) == 1));
    assert!(concurrency.get() < 45, "every task came by itself");
    poller.stop(TIMEOUT).await;
}

pub(super) async fn a_delayed_task_is_left_alone_until_its_time(bench: &Bench) {
    let (queue, sender) = bench.queue(TIMEOUT).await;
    let log = Log::default();
    let inside = log.clone();
    let poller = bench.poll(&queue, move |messages| {
        inside.record(&messages);
        Vec::new()
    });
    let (soon, late) = (task(), task());
    sender.send(&soon, Duration::from_secs(3)).await.unwrap();
    sender.send(&late, MAX_DELAY * 9).await.unwrap();
    wait_until_idle(&poller).await;
    assert_eq!(log.len(), 0, "it was taken before its time");
    wait_until("the delayed task", || log.times(&soon) == 1).await;
    wait_until_idle(&poller).await;
    assert_eq!(log.times(&late), 0);
    poller.stop(TIMEOUT).await;
}

pub(super) async fn only_what_failed_is_given_out_again(bench: &Bench) {
    let (queue, sender) = bench.queue(SHORT).await;
    let tasks: Vec<_> = (0..5).map(|_| task()).collect();
    for task in &tasks {
        send(&sender, task).await;
    }
    let (log, unlucky) = (Log::default(), tasks[2].to_body());
    let inside = log.clone();
    let poller = bench.poll(&queue, move |messages| {
        inside.record(&messages);
        let fails = messages.iter().filter(|message| message.body == unlucky && message.receive_count < 3);
        fails.map(|message| message.id.clone()).collect()
    });
    wait_until("the third try", || log.times(&tasks[2]) == 3).await;
    wait_until_idle(&poller).await;
    assert!(tasks.iter().all(|task| log.times(task) == if *task == tasks[2] { 3 } else { 1 }));
    poller.stop(TIMEOUT).await;
    assert!(bench.receive_all(&queue.dead_letter_url).await.is_empty());
}

pub(super) async fn a_message_that_always_fails_becomes_a_dead_letter_after_five_receives(bench: &Bench) {
    let (queue, sender) = bench.queue(SHORT).await;
    let log = Log::default();
    let inside = log.clone();
    let poller = bench.poll(&queue, move |messages| {
        inside.record(&messages);
        messages.into_iter().map(|message| message.id).collect()
    });
    let hopeless = task();
    send(&sender, &hopeless).await;
    let waiting = async {
        loop {
            let dead = bench.receive_all(&queue.dead_letter_url).await;
            if !dead.is_empty() {
                return dead;
            }
        }
    };
    let dead = tokio::time::timeout(TIMEOUT, waiting).await.expect("it is not among the dead letters");
    assert_eq!(dead, [hopeless.to_body()]);
    assert_eq!(log.times(&hopeless), MAX_RECEIVES as usize);
    poller.stop(TIMEOUT).await;
}

pub(super) async fn a_body_that_is_not_ours_fails_alone(bench: &Bench) {
    let (queue, sender) = bench.queue(TIMEOUT).await;
    let good = [task(), task()];
    send(&sender, &good[0]).await;
    bench.server.client().send_message().queue_url(&queue.url).message_body("not ours").send().await.unwrap();
    send(&sender, &good[1]).await;
    let (log, failed) = (Log::default(), Counter::default());
    let (inside, counted) = (log.clone(), failed.clone());
    let poller = bench.poll(&queue, move |messages| {
        let (ours, others): (Vec<_>, Vec<_>) = messages.into_iter().partition(|message| message.task().is_ok());
        inside.record(&ours);
        others.iter().for_each(|_| counted.add());
        others.into_iter().map(|message| message.id).collect()
    });
    wait_until_idle(&poller).await;
    assert_eq!((log.len(), failed.get()), (2, 1));
    assert!(good.iter().all(|task| log.times(task) == 1));
    poller.stop(TIMEOUT).await;
}

pub(super) async fn a_slow_batch_holds_up_no_other(bench: &Bench) {
    let (queue, sender) = bench.queue(TIMEOUT).await;
    let (log, slow) = (Log::default(), task());
    let (go, gone) = watch::channel(false);
    let (inside, held) = (log.clone(), slow.to_body());
    let poller = bench.poll_with(
        &queue,
        LIMITS,
        Arc::new(move |messages| {
            let (inside, held, mut gone) = (inside.clone(), held.clone(), gone.clone());
            Box::pin(async move {
                inside.record(&messages);
                if messages.iter().any(|message| message.body == held) {
                    gone.wait_for(|go| *go).await.unwrap();
                }
                Vec::new()
            })
        }),
    );
    send(&sender, &slow).await;
    wait_until("the slow one begins", || log.times(&slow) == 1).await;
    let others: Vec<_> = (0..20).map(|_| task()).collect();
    for task in &others {
        send(&sender, task).await;
    }
    wait_until("the others", || others.iter().all(|task| log.times(task) == 1)).await;
    go.send_replace(true);
    wait_until_idle(&poller).await;
    assert_eq!(log.times(&slow), 1);
    poller.stop(TIMEOUT).await;
}

pub(super) async fn a_worker_that_panics_gets_its_batch_again(bench: &Bench) {
    let (queue, sender) = bench.queue(SHORT).await;
    let log = Log::default();
    let inside = log.clone();
    let poller = bench.poll(&queue, move |messages| {
        inside.record(&messages);
        assert!(messages[0].receive_count > 1, "a bug of a worker, made for this test");
        Vec::new()
    });
    let sent = task();
    send(&sender, &sent).await;
    wait_until("the second try", || log.times(&sent) == 2).await;
    wait_until_idle(&poller).await;
    poller.stop(TIMEOUT).await;
    assert_eq!(log.times(&sent), 2);
}

pub(super) async fn a_worker_that_takes_too_long_gets_its_batch_again(bench: &Bench) {
    let (queue, sender) = bench.queue(SHORT).await;
    let log = Log::default();
    let inside = log.clone();
    let poller = bench.poll_with(
        &queue,
        WorkerLimits { timeout: Duration::from_millis(50), ..LIMITS },
        Arc::new(move |messages| {
            let inside = inside.clone();
            Box::pin(async move {
                inside.record(&messages);
                if messages[0].receive_count == 1 {
                    std::future::pending::<()>().await;
                }
                Vec::new()
            })
        }),
    );
    let sent = task();
    send(&sender, &sent).await;
    wait_until("the second try", || log.times(&sent) == 2).await;
    wait_until_idle(&poller).await;
    poller.stop(TIMEOUT).await;
}

pub(super) async fn a_stop_lets_a_running_batch_end(bench: &Bench) {
    let (queue, sender) = bench.queue(SHORT).await;
    let (log, ended) = (Log::default(), Counter::default());
    let (go, gone) = watch::channel(false);
    let (inside, counted) = (log.clone(), ended.clone());
    let poller = bench.poll_with(
        &queue,
        LIMITS,
        Arc::new(move |messages| {
            let (inside, counted, mut gone) = (inside.clone(), counted.clone(), gone.clone());
            Box::pin(async move {
                inside.record(&messages);
                gone.wait_for(|go| *go).await.unwrap();
                counted.add();
                Vec::new()
            })
        }),
    );
    send(&sender, &task()).await;
    wait_until("it runs", || log.len() == 1).await;
    let stopping = tokio::spawn(poller.stop(TIMEOUT));
    tokio::task::yield_now().await;
    go.send_replace(true);
    tokio::time::timeout(TIMEOUT, stopping).await.unwrap().unwrap();
    assert_eq!(ended.get(), 1);
    assert!(bench.receive_all(&queue.url).await.is_empty(), "what was done stays on the queue");
}

pub(super) async fn queues_that_exist_are_found_again_and_keep_what_they_hold(bench: &Bench) {
    let (queue, sender) = bench.queue(TIMEOUT).await;
    let sent = task();
    send(&sender, &sent).await;
    let (again, _) = bench.queue(TIMEOUT * 2).await;
    assert_eq!(again, queue);
    assert_eq!(bench.receive_all(&queue.url).await, [sent.to_body()]);
}

pub(super) async fn how_much_waits_and_how_much_was_given_up_is_told(bench: &Bench) {
    let (queue, sender) = bench.queue(TIMEOUT).await;
    assert_eq!(sender.depth().await.unwrap(), Depth::default());
    for _ in 0..3 {
        send(&sender, &task()).await;
    }
    sender.send(&task(), MAX_DELAY).await.unwrap();
    bench
        .server
        .client()
        .send_message()
        .queue_url(&queue.dead_letter_url)
        .message_body("given up")
        .send()
        .await
        .unwrap();
    let told = sender.depth().await.unwrap();
    assert_eq!(told, Depth { ready: 3, given_out: 0, delayed: 1, dead: 1 });
    bench.receive_all(&queue.url).await;
    let told = sender.depth().await.unwrap();
    assert_eq!((told.ready + told.given_out, told.given_out > 0), (3, true));
    bench.server.client().delete_queue().queue_url(&queue.dead_letter_url).send().await.unwrap();
    assert_eq!(sender.depth().await.unwrap_err().code(), Code::ServiceUnavailable);
}
