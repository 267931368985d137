#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Deduplicates shards of a corpus with gsketch and Spark (pip install pyspark, Java 17).

    dedup_spark.py --master 'local[2]' --work WORK shard-*.jsonl
    spark-submit --py-files dedup_steps.py dedup_spark.py --work WORK shard-*.jsonl

gsketch sketches, bands and compares, in a task for each shard or part; Spark does
the shuffle. All machines see WORK and the shards under the same names. WORK/manifest has
the columns row, id, keep, kept_row and cluster. Stopped and run again, it does
what is missing.
"""

import os

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

import dedup_steps


class Spark:
    name = "spark"
    errors = (PySparkException,)

    def __init__(self, options):
        self.options = options

    def __enter__(self):
        builder = SparkSession.builder.appName("gsketch dedup")
        if self.options.master:
            builder = builder.master(self.options.master)
        settings = {"spark.sql.shuffle.partitions": self.options.partitions, "spark.sql.adaptive.enabled": "true",
                    "spark.sql.sources.partitionColumnTypeInference.enabled": "true", "spark.ui.showConsoleProgress": "false"}
        settings.update(c.split("=", 1) for c in self.options.conf)
        for key, value in settings.items():
            builder = builder.config(key, str(value))
        self.spark = builder.getOrCreate()
        self.spark.sparkContext.setLogLevel("ERROR")
        self.spark.sparkContext.addPyFile(dedup_steps.__file__)
        return self

    def __exit__(self, *_):
        self.spark.stop()

    def jobs(self, jobs):
        threads = self.spark.sparkContext.getConf().get("spark.task.cpus", "1")
        all_jobs = [(program, words, [*args, "-t", threads], output) for program, words, args, output in jobs]
        return self.spark.sparkContext.parallelize(all_jobs, len(all_jobs)).map(dedup_steps.produce).collect()

    def run(self, statement):
        table = statement.split("CREATE TABLE ", 1)[1].split(None, 1)[0]
        self.spark.sql(statement.strip().removesuffix(";"))
        self.spark.sql(f"DROP TABLE {table}")  # its files stay

    def number(self, query):
        return self.spark.sql(query.strip().removesuffix(";")).collect()[0][0]

    def empty(self, directory):
        self.spark.createDataFrame([], "a bigint, b bigint").write.mode("overwrite").parquet(directory)


if __name__ == "__main__":
    parser = dedup_steps.arguments(__doc__.split("\n")[0])
    parser.add_argument("--master", default="", help="of Spark, as local[2]; empty: what spark-submit says")
    parser.add_argument("--partitions", type=int, default=200, help="of a shuffle; adaptive execution joins small ones")
    parser.add_argument("--conf", action="append", default=[], help="KEY=VALUE of Spark (repeatable)")
    dedup_steps.main(parser.parse_args(), Spark)
