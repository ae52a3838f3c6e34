import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericAppenderFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Writes Iceberg tables with random histories of position deletes, equality deletes and deletion vectors by Iceberg's
 * Java library, with the results of that library's scans.
 *
 * <p>Usage: IcebergHistories FOLDER FIRST COUNT. Each seed from FIRST on makes one table. Prints a line of JSON per
 * table: its name, metadata file, steps and queries, each query with its snapshot (null for the current one) and the
 * rows as sorted texts.
 */
public final class IcebergHistories {
  private static final FileFormat PARQUET = FileFormat.PARQUET;
  private static final String[] TEXTS = {"", "a", "ab", "b", "\u00e4\u20ac", "zz'z", "A"};

  private final Random random;
  private final Table table;
  private final int version;
  private final List<String> steps = new ArrayList<>();
  /** The live data files, in the order in which they were written. */
  private final Map<String, DataFile> live = new LinkedHashMap<>();
  /** For each data file: its rows when it was written, the positions deleted by vectors, and the vector. */
  private final Map<String, List<Record>> rowsOf = new LinkedHashMap<>();
  private final Map<String, TreeSet<Long>> vectorPositions = new LinkedHashMap<>();
  private final Map<String, DeleteFile> vectors = new LinkedHashMap<>();
  private int names = 0;

  private IcebergHistories(Random random, Table table, int version) {
    this.random = random;
    this.table = table;
    this.version = version;
  }

  public static void main(String[] args) throws Exception {
    String folder = args[0];
    int first = Integer.parseInt(args[1]);
    int count = Integer.parseInt(args[2]);
    HadoopTables tables = new HadoopTables(new Configuration());
    for (int seed = first; seed < first + count; seed++) {
      // The first random numbers of consecutive seeds are similar.
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      int version = seed % 2 == 0 ? 2 : 3;
      Schema schema =
          new Schema(
              Types.NestedField.optional(1, "i", Types.IntegerType.get()),
              Types.NestedField.optional(2, "s", Types.StringType.get()),
              Types.NestedField.optional(3, "n", Types.LongType.get()),
              Types.NestedField.optional(4, "b", Types.BooleanType.get()));
      PartitionSpec.Builder spec = PartitionSpec.builderFor(schema);
      int kind = random.nextInt(3);
      if (kind == 1) spec.identity("s");
      if (kind == 2) spec.bucket("i", 2);
      Map<String, String> properties =
          Map.of("format-version", String.valueOf(version), "write.parquet.compression-codec", "snappy");
      String name = "j" + seed;
      Table table = tables.create(schema, spec.build(), properties, folder + "/java/" + name);
      IcebergHistories history = new IcebergHistories(random, table, version);
      int length = 4 + random.nextInt(7);
      for (int i = 0; i < length; i++) history.step();
      System.out.println(history.described(name));
    }
  }

  private void step() throws Exception {
    int choice = live.isEmpty() ? 0 : random.nextInt(12);
    if (choice <= 3) append();
    else if (choice <= 6) deletePositions();
    else if (choice <= 8) deleteEqual();
    else if (choice == 9) evolve();
    else if (choice == 10) dropFile();
    else repartition();
    table.refresh();
  }

  private void append() throws Exception {
    RowDelta delta = table.newRowDelta();
    List<Record> rows = new ArrayList<>();
    int count = 1 + random.nextInt(12);
    for (int i = 0; i < count; i++) rows.add(record());
    Map<String, List<Record>> groups = new LinkedHashMap<>();
    for (Record row : rows) groups.computeIfAbsent(String.valueOf(keyOf(row)), k -> new ArrayList<>()).add(row);
    for (List<Record> group : groups.values()) {
      DataWriter<Record> writer =
          new GenericAppenderFactory(table.schema(), table.spec())
              .newDataWriter(outputs().newOutputFile(table.spec(), keyOf(group.get(0))), PARQUET, keyOf(group.get(0)));
      try (writer) {
        for (Record row : group) writer.write(row);
      }
      DataFile file = writer.toDataFile();
      delta.addRows(file);
      live.put(file.location(), file);
      rowsOf.put(file.location(), group);
    }
    delta.commit();
    steps.add("append");
  }

  /** Deletes rows of one or two files by position, by a vector in format v3, else by a file of positions. */
  private void deletePositions() throws Exception {
    RowDelta delta = table.newRowDelta().validateFromSnapshot(table.currentSnapshot().snapshotId());
    for (int i = 0; i <= random.nextInt(2); i++) {
      String path = pick(new ArrayList<>(live.keySet()));
      DataFile file = live.get(path);
      PartitionSpec spec = table.specs().get(file.specId());
      TreeSet<Long> positions = new TreeSet<>();
      for (long at = 0; at < file.recordCount(); at++) if (random.nextInt(3) == 0) positions.add(at);
      if (positions.isEmpty()) positions.add(0L);
      if (version == 3) {
        TreeSet<Long> all = vectorPositions.computeIfAbsent(path, p -> new TreeSet<>());
        all.addAll(positions);
        BaseDVFileWriter writer = new BaseDVFileWriter(outputs(FileFormat.PUFFIN), p -> null);
        try (writer) {
          for (long at : all) writer.delete(path, at, spec, file.partition());
        }
        DeleteFile vector = writer.result().deleteFiles().get(0);
        DeleteFile before = vectors.put(path, vector);
        if (before != null) delta.removeDeletes(before);
        delta.addDeletes(vector);
        // A file can have only one vector, so another one in the same commit would be an error of this program.
        break;
      }
      PositionDeleteWriter<Record> writer =
          new GenericAppenderFactory(table.schema(), spec)
              .newPosDeleteWriter(outputs().newOutputFile(spec, file.partition()), PARQUET, file.partition());
      try (writer) {
        PositionDelete<Record> position = PositionDelete.create();
        for (long at : positions) writer.write(position.set(path, at, null));
      }
      delta.addDeletes(writer.toDeleteFile());
    }
    delta.commit();
    steps.add(version == 3 ? "vector" : "positions");
  }

  /** Deletes by the values of one or two columns; in a partitioned table only in one partition. */
  private void deleteEqual() throws Exception {
    List<Types.NestedField> fields =
        table.schema().columns().stream().filter(f -> f.type().isPrimitiveType()).collect(Collectors.toList());
    int[] ids =
        random.nextInt(2) == 0
            ? new int[] {pick(fields).fieldId()}
            : new int[] {fields.get(0).fieldId(), fields.get(1).fieldId()};
    Schema keys = new Schema(fields.stream().filter(f -> Arrays.stream(ids).anyMatch(id -> id == f.fieldId())).toList());
    EqualityDeleteWriter<Record> writer;
    // The partition of the deleted rows is that of a row like those in the table.
    Record like = record();
    StructLike partition = keyOf(like);
    writer =
        new GenericAppenderFactory(table.schema(), table.spec(), ids, keys, null)
            .newEqDeleteWriter(outputs().newOutputFile(table.spec(), partition), PARQUET, partition);
    try (writer) {
      for (int i = 0; i <= random.nextInt(3); i++) {
        Record source = i == 0 ? like : record();
        Record key = GenericRecord.create(keys);
        for (Types.NestedField field : keys.columns()) key.setField(field.name(), source.getField(field.name()));
        writer.write(key);
      }
    }
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
    steps.add("equal" + Arrays.toString(ids).replace(" ", ""));
  }

  private void evolve() {
    String name = "w" + names++;
    if (random.nextBoolean()) {
      Type type = random.nextBoolean() ? Types.LongType.get() : Types.StringType.get();
      table.updateSchema().addColumn(name, type).commit();
    } else {
      table.updateSchema().renameColumn(pick(table.schema().columns()).name(), name).commit();
    }
    steps.add("schema");
  }

  private void dropFile() {
    String path = pick(new ArrayList<>(live.keySet()));
    table.newOverwrite().deleteFile(live.remove(path)).commit();
    vectors.remove(path);
    vectorPositions.remove(path);
    steps.add("drop");
  }

  private void repartition() {
    if (table.spec().isPartitioned()) {
      table.updateSpec().removeField(table.spec().fields().get(0).name()).commit();
    } else {
      String column = table.schema().findColumnName(1);
      table.updateSpec().addField("p" + names++, Expressions.bucket(column, 2)).commit();
    }
    steps.add("spec");
  }

  private StructLike keyOf(Record row) {
    PartitionSpec spec = table.spec();
    PartitionKey key = new PartitionKey(spec, table.schema());
    key.partition(new InternalRecordWrapper(table.schema().asStruct()).wrap(row));
    return key;
  }

  private OutputFileFactory outputs() {
    return outputs(PARQUET);
  }

  private OutputFileFactory outputs(FileFormat format) {
    return OutputFileFactory.builderFor(table, 1, random.nextInt(Integer.MAX_VALUE)).format(format).build();
  }

  private Record record() {
    Record record = GenericRecord.create(table.schema());
    for (Types.NestedField field : table.schema().columns()) record.setField(field.name(), value(field.type()));
    return record;
  }

  /** One of only a few values, so that deletes match some rows. */
  private Object value(Type type) {
    if (random.nextInt(6) == 0) return null;
    switch (type.typeId()) {
      case INTEGER:
        return random.nextInt(5) - 1;
      case LONG:
        return pick(List.of(-5L, 0L, 1L, 9007199254740993L, Long.MAX_VALUE));
      case STRING:
        return pick(List.of(TEXTS));
      case BOOLEAN:
        return random.nextBoolean();
      default:
        throw new IllegalStateException(type.toString());
    }
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private String described(String name) throws Exception {
    List<String> queries = new ArrayList<>();
    queries.add(query(null));
    for (Snapshot snapshot : table.snapshots()) {
      if (random.nextInt(2) == 0) queries.add(query(snapshot.snapshotId()));
    }
    String metadata = ((BaseTable) table).operations().current().metadataFileLocation();
    return "{\"table\":" + quoted(name) + ",\"version\":" + version + ",\"metadata\":" + quoted(metadata)
        + ",\"steps\":" + quoted(String.join(" ", steps)) + ",\"queries\":[" + String.join(",", queries) + "]}";
  }

  private String query(Long snapshot) throws Exception {
    IcebergGenerics.ScanBuilder scan = IcebergGenerics.read(table);
    if (snapshot != null) scan = scan.useSnapshot(snapshot);
    List<String> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = scan.build()) {
      for (Record row : records) {
        rows.add(
            row.struct().fields().stream()
                .map(Types.NestedField::name)
                // Leaves out columns such as _pos, which Java reads to apply deletes.
                .filter(column -> !column.startsWith("_"))
                .sorted()
                .map(column -> column + "=" + shown(row.getField(column)))
                .collect(Collectors.joining("; ")));
      }
    }
    rows.sort(Comparator.naturalOrder());
    String texts = rows.stream().map(IcebergHistories::quoted).collect(Collectors.joining(","));
    return "{\"snapshot\":" + (snapshot == null ? "null" : quoted(String.valueOf(snapshot))) + ",\"rows\":[" + texts + "]}";
  }

  private static String shown(Object value) {
    if (value == null) return "null";
    return value instanceof CharSequence ? quoted(value.toString()) : String.valueOf(value);
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else out.append(c);
    }
    return out.append('"').toString();
  }
}
