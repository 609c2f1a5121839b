#include "plot/grid_text.h"

#include "support/catch.h"

using namespace posenc;

namespace {

const double kNever = -std::numeric_limits<double>::infinity();
const Grid kTable{"table", "", {"position", "dimension"}, {2, 2}, {0, 1, 0.5, -0.25}};
const Grid kBias{"bias", "", {"head", "query", "key"}, {1, 2, 2}, {0, kNever, -0.5, 0}};
const Grid kBuckets{"buckets", "", {"query", "key"}, {2, 2}, {0, 17, 1, 0}};

}  // namespace

TEST_CASE("a grid as text has a heading and a line a row", "[plot]") {
  CHECK(grid_text(kTable) == "table: 2 position x 2 dimension\n 0.0000  1.0000\n 0.5000 -0.2500\n");
  CHECK(grid_text(kBias) == "bias: 1 head x 2 query x 2 key\nhead 0\n 0.0000    -inf\n-0.5000  0.0000\n");
  CHECK(grid_text(kBuckets, {"a", "b"}) == "buckets: 2 query x 2 key\n    a  b\na   0 17\nb   1  0\n");
  CHECK(grid_text(kBuckets) == "buckets: 2 query x 2 key\n 0 17\n 1  0\n");
}

TEST_CASE("grids as CSV share columns, one for each axis", "[plot]") {
  CHECK(grids_csv({kTable, kBuckets}, {3, 9}) ==
        "grid,position,dimension,query,key,value\n"
        "table,3,0,,,0\ntable,3,1,,,1\ntable,9,0,,,0.5\ntable,9,1,,,-0.25\n"
        "buckets,,,3,3,0\nbuckets,,,3,9,17\nbuckets,,,9,3,1\nbuckets,,,9,9,0\n");
  CHECK(grids_csv({kBias}, {0, 1}) ==
        "grid,head,query,key,value\nbias,0,0,0,0\nbias,0,0,1,-inf\nbias,0,1,0,-0.5\nbias,0,1,1,0\n");
}

TEST_CASE("a grid as JSON is nested as deep as it has axes", "[plot]") {
  CHECK(grid_json(kTable).dump() == "[[0.0,1.0],[0.5,-0.25]]");
  CHECK(grid_json(kBias).dump() == "[[[0.0,null],[-0.5,0.0]]]");
  CHECK(grid_json(kBuckets).dump() == "[[0,17],[1,0]]");
  // What no integer holds stays a floating-point number.
  CHECK(grid_json({"table", "", {"position", "dimension"}, {1, 2}, {1e30, 0}}).dump() == "[[1e+30,0.0]]");
  CHECK(grid_json({"bias", "", {"query", "key"}, {1, 2}, {0, kNever}}).dump() == "[[0.0,null]]");
}
